/** Files are read byte by byte (see ByteText): as the text that their bytes mean. Pure. */
export function utf8(bytes: string): string {
  return new TextDecoder().decode(Uint8Array.from(bytes, (char) => char.codePointAt(0) ?? 0));
}
