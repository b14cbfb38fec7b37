/**
 * Headers of SPDY/3.1 (draft 3.1, section 2.6.10): how many, then each name and value with its length.
 * Ours are empty, so they are stored and not compressed, which every reader of zlib takes as well.
 */

/** Of one stream; kubectl's are below 200 bytes. */
export const MAX_HEADER_BYTES = 16_384;

/** Several values of one name are separated by a NUL. Throws when the bytes are none. */
export function readHeaders(bytes: Uint8Array): ReadonlyMap<string, string> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const number = (): number => {
    if (at + 4 > bytes.length) throw new Error('headers of SPDY are cut off');
    at += 4;
    return view.getUint32(at - 4);
  };
  const text = (): string => {
    const length = number();
    if (at + length > bytes.length) throw new Error('headers of SPDY are cut off');
    at += length;
    return new TextDecoder().decode(bytes.subarray(at - length, at));
  };
  const headers = new Map<string, string>();
  for (let left = number(); left > 0; left -= 1) {
    const name = text().toLowerCase();
    headers.set(name, text());
  }
  return headers;
}

/** Only the first of a connection begins with the head of a zlib stream. */
export function noHeaders(first: boolean): Uint8Array {
  // Stored blocks (RFC 1951, section 3.2.4): four bytes, which are the number 0, and the empty one with
  // which a flush ends. Readers in Go give out what came before only when they have seen it.
  const block = [0, 4, 0, 0xfb, 0xff, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];
  return new Uint8Array(first ? [0x78, 0x01, ...block] : block);
}
