/**
 * Finds patterns with another meaning than expected. The manual page promises POSIX extended
 * regular expressions, and every implementation uses Go's RE2.
 */
import type { Problem } from '../../../model/problem.ts';
import { patternsOf, positionOf } from './check-hook.ts';
import type { HookFile } from './hook-file.ts';

const DIALECTS: readonly { readonly shape: RegExp; readonly means: string }[] = [
  { shape: /\\[<>]/, means: 'is the character itself, not the edge of a word as in grep' },
  { shape: /\{,\d+\}/, means: 'is plain text, not a repetition' },
  { shape: /\\[A-Za-z0-9]/, means: 'is a class or escape of RE2, which POSIX does not have' },
  { shape: /\(\?/, means: 'begins a flag or group of RE2, which POSIX does not have' },
  { shape: /[*+?}]\?/, means: 'is a lazy repetition of RE2, which POSIX does not have' },
];

export function patternTraps(file: HookFile): Problem[] {
  return patternsOf(file).flatMap(({ path, text }) => {
    // An escaped backslash starts no escape; a class contains plain characters.
    const bare = text.replaceAll('\\\\', '').replace(/\[\^?\]?[^\]\\]*\]/g, '[]');
    return DIALECTS.flatMap(({ shape, means }): Problem[] => {
      const found = shape.exec(bare)?.[0];
      if (found === undefined) return [];
      return [
        {
          code: 'LHC139',
          severity: 'warning',
          message: `In the pattern ${JSON.stringify(text)}, ${found} ${means}.`,
          at: positionOf(file, path),
          next: 'Write it in a way that RE2 and POSIX share, if other programs read this file.',
        },
      ];
    });
  });
}
