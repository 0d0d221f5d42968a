// Copy the text of a field to the clipboard. Returns whether that was possible.

// The clipboard API needs a secure origin, which a computer in the home network is not.
export async function copyField(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.select();
    return document.execCommand("copy");
  }
}
