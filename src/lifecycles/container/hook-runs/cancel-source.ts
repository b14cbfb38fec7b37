import type { CancelSignal } from '../../../platform/platform.ts';

export interface CancelSource {
  readonly signal: CancelSignal;
  cancel(): void;
}

/** What AbortController does, where there is none (QuickJS). */
export function cancelSource(): CancelSource {
  const listeners = new Set<() => void>();
  let aborted = false;
  return {
    signal: {
      get aborted() {
        return aborted;
      },
      addEventListener: (_type, listener) => {
        listeners.add(listener);
      },
      removeEventListener: (_type, listener) => {
        listeners.delete(listener);
      },
    },
    cancel: () => {
      if (aborted) return;
      aborted = true;
      for (const listener of listeners) listener();
    },
  };
}
