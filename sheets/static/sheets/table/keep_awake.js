// Keeps the screen awake while a game runs. Over plain HTTP, as in a home network, browsers have no
// Wake Lock API: there a silent video of a few pixels plays (see nosleep/LICENSE). iPhones and iPads lock
// during a muted or hidden video (NoSleep.js, issues 85, 92, 135), so the page names their setting.

const page = document.getElementById("table");
let lock = null;
let video = null;

async function hold() {
  if (document.hidden || lock) return;
  try {
    lock = await navigator.wakeLock.request("screen");
    lock.addEventListener("release", () => (lock = null));
  } catch {
    lock = null; // refused, for example with a low battery
  }
}

function play() {
  if (!video) {
    video = document.createElement("video");
    video.muted = true;
    video.setAttribute("playsinline", "");
    video.setAttribute("aria-hidden", "true");
    video.className = "for-ears";
    video.src = page.dataset.video;
    video.addEventListener("timeupdate", () => {
      if (video.currentTime > 0.5) video.currentTime = Math.random();
    });
    document.body.append(video);
  }
  video.play().catch(() => {}); // browsers refuse before the first tap
}

const isIos = /iPhone|iPad/.test(navigator.userAgent) || (navigator.platform === "MacIntel" && navigator.maxTouchPoints > 1);
const isWanted = () => !("over" in page.dataset);
if ("wakeLock" in navigator) {
  const ask = () => (isWanted() ? hold() : lock?.release());
  document.addEventListener("visibilitychange", ask);
  addEventListener("table:over", ask);
  ask();
} else if (isIos) {
  document.getElementById("auto-lock")?.removeAttribute("hidden");
} else {
  const ask = () => (isWanted() && !document.hidden ? play() : video?.pause());
  document.addEventListener("visibilitychange", ask);
  document.addEventListener("click", ask);
  addEventListener("table:over", ask);
}
