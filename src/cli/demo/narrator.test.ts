import { expect, test } from 'vitest';

import { Narrator } from './narrator.ts';

function reported(
  { isTTY = false, env = {} }: { isTTY?: boolean; env?: Record<string, string> },
  report: (narrator: Narrator) => void,
): { text: string; narrator: Narrator } {
  let text = '';
  const screen = { isTTY, columns: 20, write: (more: string) => (text += more) };
  const narrator = new Narrator({ screen, env });
  report(narrator);
  return { text, narrator };
}

test('the narrator writes plain lines without a terminal, numbers the acts and counts the claims', () => {
  const { text, narrator } = reported({}, (say) => {
    say.act('First');
    say.command('lifehook up');
    say.live('never seen');
    say.fact('0.4 s');
    say.claim('it is up', true, 'unused');
    say.act('Second');
    say.claim('it is there', false, 'it is not');
  });
  expect(text).toBe(
    '\n1  First\n   $ lifehook up\n   0.4 s\n   ok it is up\n\n2  Second\n   NOT SO: it is there: it is not\n',
  );
  expect(narrator.claims).toEqual({ made: 2, held: 1 });
});

test('the narrator fits a live line to the terminal, and replaces it with the next line', () => {
  const env = { NO_COLOR: '1', LANG: 'C.UTF-8' };
  const { text } = reported({ isTTY: true, env }, (say) => {
    say.live('a line that is much too long');
    say.claim('done', true);
  });
  expect(text).toBe('\r\u001B[2K   … a line that is\r\u001B[2K   ✓ done\n');
});

test('the narrator uses colours on a terminal, unless TERM is dumb', () => {
  const claim = (say: Narrator): void => {
    say.claim('done', true);
  };
  expect(reported({ isTTY: true }, claim).text).toContain('\u001B[32mok\u001B[39m');
  expect(reported({ isTTY: true, env: { TERM: 'dumb' } }, claim).text).toBe('   ok done\n');
});
