// Chime when the player is to act, if this device has switched it on. Loaded after the page.
import { deviceStore } from "../lib/store.js";

const NAME = "dizzle.sound";
const NOTES_HZ = [659, 880];
const NOTE_S = 0.16;
const VOLUME = 0.25;

const label = document.getElementById("sound");
const box = label.querySelector("input");
let audio = null;

function chime() {
  if (audio?.state !== "running") return; // it would play late, at the next tap
  for (const [number, hz] of NOTES_HZ.entries()) {
    const tone = audio.createOscillator();
    const gain = audio.createGain();
    const start = audio.currentTime + number * NOTE_S;
    tone.frequency.value = hz;
    gain.gain.setValueAtTime(VOLUME, start);
    gain.gain.exponentialRampToValueAtTime(0.001, start + 3 * NOTE_S);
    tone.connect(gain).connect(audio.destination);
    tone.start(start);
    tone.stop(start + 3 * NOTE_S);
  }
}

// Browsers let a page make sounds only after a tap, and suspend it while the phone is locked.
async function unlock() {
  if (!box.checked) return;
  audio ??= new AudioContext();
  if (audio.state !== "running") await audio.resume();
}

box.checked = deviceStore.readText(NAME) === "yes";
box.addEventListener("change", async () => {
  deviceStore.writeText(NAME, box.checked ? "yes" : "no");
  await unlock();
  if (box.checked) chime();
});
document.addEventListener("click", unlock);
addEventListener("table:call", () => box.checked && chime());
label.hidden = false;
