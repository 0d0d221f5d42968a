// The device's time zone in a cookie, so that the server knows which day it is here.
const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
document.cookie = `time_zone=${timeZone};path=/;max-age=31536000`;
