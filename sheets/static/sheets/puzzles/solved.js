// First answers to puzzles on this device, by key: true for a correct one.
import { deviceStore } from "../lib/store.js";

const NAME = "dizzle.puzzles";

export const firstAnswers = () => deviceStore.read(NAME, {});

// Store the first answer to a puzzle; later ones change nothing.
export function noteAnswer(key, isRight) {
  deviceStore.write(NAME, { [key]: isRight, ...firstAnswers() });
}
