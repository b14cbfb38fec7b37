import { expect, it } from 'vitest';

import { explanationText } from './explain.ts';

it('prints no control characters of the annotations of a bundle', () => {
  const facts = { annotations: { tier: '\u001B[2Jweb' }, hasBindMounts: false, args: ['\u009Bsh'] };
  const text = explanationText({ facts, files: [], order: [], patch: [], problems: [] });
  expect(text).toContain('  command      \uFFFDsh\n  annotations  tier=\uFFFD[2Jweb\n');
});
