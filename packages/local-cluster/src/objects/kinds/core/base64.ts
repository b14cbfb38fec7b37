/** Text as base64 and back, in UTF-8. */
export function base64OfText(text: string): string {
  let bytes = '';
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCodePoint(byte);
  return btoa(bytes);
}

/** What is not base64 reads as no text. */
export function textOfBase64(encoded: string): string {
  try {
    const bytes = Uint8Array.from(atob(encoded), (character) => character.codePointAt(0) ?? 0);
    return new TextDecoder().decode(bytes);
  } catch {
    return '';
  }
}
