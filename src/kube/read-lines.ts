/**
 * The lines of a stream of bytes, one at a time. A stream that ends within a line was cut: that
 * rejects, and so does a line beyond the limit. An empty line is nothing.
 */
export async function* readLines(
  body: AsyncIterable<Uint8Array>,
  maxLength: number,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  let length = 0;
  for await (const chunk of body) {
    const pieces = decoder.decode(chunk, { stream: true }).split('\n');
    const rest = pieces.pop() ?? '';
    for (const piece of pieces) {
      const line = parts.length === 0 ? piece : `${parts.join('')}${piece}`;
      checkLength(line.length, maxLength);
      parts = [];
      length = 0;
      if (line !== '') yield line;
    }
    // Joined only when the line is whole, so that a long one is not copied with every chunk.
    if (rest !== '') parts.push(rest);
    length += rest.length;
    checkLength(length, maxLength);
  }
  if (length > 0) throw new Error('the stream ended within a line');
}

function checkLength(length: number, maxLength: number): void {
  if (length > maxLength) throw new Error(`a line is longer than ${maxLength} characters`);
}
