/** Common and different lines of two texts, by their longest common subsequence. */

export type Compared =
  | { readonly kind: 'same'; readonly lines: readonly string[] }
  | {
      readonly kind: 'different';
      readonly real: readonly string[];
      readonly local: readonly string[];
    };

export function compareLines(real: readonly string[], local: readonly string[]): Compared[] {
  const parts: Compared[] = [];
  const lengths = commonLengths(real, local);
  const at = { real: 0, local: 0 };
  const begun = { real: 0, local: 0 };
  const flush = (): void => {
    const different = {
      real: real.slice(begun.real, at.real),
      local: local.slice(begun.local, at.local),
    };
    if (different.real.length + different.local.length > 0) {
      parts.push({ kind: 'different', ...different });
    }
  };
  while (at.real < real.length && at.local < local.length) {
    if (real[at.real] === local[at.local]) {
      flush();
      parts.push({ kind: 'same', lines: [real[at.real] ?? ''] });
      at.real += 1;
      at.local += 1;
      Object.assign(begun, at);
    } else if (
      lengthAt(lengths, at.real + 1, at.local) >= lengthAt(lengths, at.real, at.local + 1)
    ) {
      at.real += 1;
    } else {
      at.local += 1;
    }
  }
  Object.assign(at, { real: real.length, local: local.length });
  flush();
  return parts;
}

function lengthAt(lengths: readonly (readonly number[])[], real: number, local: number): number {
  return lengths[real]?.[local] ?? 0;
}

/** Length of the longest common subsequence from each pair of positions to the ends. */
function commonLengths(real: readonly string[], local: readonly string[]): number[][] {
  const lengths: number[][] = [...real, ''].map(() => []);
  for (let i = real.length - 1; i >= 0; i -= 1) {
    const row = lengths[i] ?? [];
    for (let j = local.length - 1; j >= 0; j -= 1) {
      row[j] =
        real[i] === local[j]
          ? lengthAt(lengths, i + 1, j + 1) + 1
          : Math.max(lengthAt(lengths, i + 1, j), lengthAt(lengths, i, j + 1));
    }
  }
  return lengths;
}
