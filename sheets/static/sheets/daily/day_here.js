// Day of this device's clock and time zone, as in an address: 2026-11-30.
export const dayHere = () =>
  new Date(Date.now() - new Date().getTimezoneOffset() * 60000).toISOString().slice(0, 10);
