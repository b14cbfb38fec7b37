/**
 * Headers of SPDY/3.1 (draft 3.1, section 2.6.10): their number, then each name and value with its length. Ours
 * are empty, so they are stored without compression, which every zlib reader accepts.
 */

/** For one stream; kubectl's headers are below 200 bytes. */
export const MAX_HEADER_BYTES = 16_384;

/** Several values of one name are separated by a NUL. Throws for invalid bytes. */
export function readHeaders(bytes: Uint8Array): ReadonlyMap<string, string> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const number = (): number => {
    if (at + 4 > bytes.length) throw new Error('SPDY headers are truncated');
    at += 4;
    return view.getUint32(at - 4);
  };
  const text = (): string => {
    const length = number();
    if (at + length > bytes.length) throw new Error('SPDY headers are truncated');
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

/** Only the first headers of a connection begin with a zlib head. */
export function noHeaders(first: boolean): Uint8Array {
  // Stored blocks (RFC 1951, section 3.2.4): four bytes with the number 0, and the empty block of a flush,
  // after which readers in Go return the bytes before it.
  const block = [0, 4, 0, 0xfb, 0xff, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];
  return new Uint8Array(first ? [0x78, 0x01, ...block] : block);
}

/**
 * The shared dictionary of SPDY/3.1 (draft 3.1, section 2.6.10.1): names with their lengths, then numbers and
 * texts that were frequent in 2012. Every byte counts, since the compression refers to it.
 */
const WORDS: readonly string[] = [
  ...(
    'options head post put delete trace accept accept-charset accept-encoding accept-language ' +
    'accept-ranges age allow authorization cache-control connection content-base ' +
    'content-encoding content-language content-length content-location content-md5 ' +
    'content-range content-type date etag expect expires from host if-match if-modified-since ' +
    'if-none-match if-range if-unmodified-since last-modified location max-forwards pragma ' +
    'proxy-authenticate proxy-authorization range referer retry-after server te trailer ' +
    'transfer-encoding upgrade user-agent vary via warning www-authenticate method get status'
  ).split(' '),
  '200 OK',
  ...'version HTTP/1.1 url public set-cookie keep-alive origin'.split(' '),
];

const REST: string =
  '100101201202205206300302303304305306307402405406407408409410411412413414415416417502504505' +
  '203 Non-Authoritative Information204 No Content301 Moved Permanently400 Bad Request' +
  '401 Unauthorized403 Forbidden404 Not Found500 Internal Server Error501 Not Implemented' +
  '503 Service UnavailableJan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec 00:00:00 ' +
  'Mon, Tue, Wed, Thu, Fri, Sat, Sun, GMTchunked,text/html,image/png,image/jpg,image/gif,' +
  'application/xml,application/xhtml+xml,text/plain,text/javascript,publicprivatemax-age=' +
  'gzip,deflate,sdchcharset=utf-8charset=iso-8859-1,utf-,*,enq=0.';

export const headerDictionary: Uint8Array = new TextEncoder().encode(
  WORDS.map((word) => `\0\0\0${String.fromCodePoint(word.length)}${word}`).join('') + REST,
);
