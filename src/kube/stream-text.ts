/** The beginning of what comes as UTF-8 in pieces; more than the limit is not kept. */
export interface StreamText {
  add(bytes: Uint8Array): void;
  readonly text: string;
}

export function collectText(unitsMax: number): StreamText {
  const decoder = new TextDecoder();
  let text = '';
  return {
    add: (bytes) => {
      text = (text + decoder.decode(bytes, { stream: true })).slice(0, unitsMax);
    },
    get text() {
      return text;
    },
  };
}
