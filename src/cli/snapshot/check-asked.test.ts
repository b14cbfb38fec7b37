import { describe, expect, it } from 'vitest';

import type { AskedHooks } from '../../lifecycles/snapshot/asked-hooks.ts';
import { problemsOf } from './check-asked.ts';

const NOTHING: AskedHooks = {
  infos: [],
  wrongAnnotations: [],
  missingTemplates: [],
  knownTemplates: [],
};

function reported(asked: Partial<AskedHooks>): string[] {
  return problemsOf({ ...NOTHING, ...asked }, 'shop').map(
    ({ code, message, next }) => `${code}: ${message} ${next}`,
  );
}

describe('a request for a snapshot', () => {
  it('is refused for a template that does not exist, with the name that was probably meant', () => {
    const missingTemplates = ['freze'];
    expect(reported({ missingTemplates, knownTemplates: ['freeze', 'other'] })).toEqual([
      'LHS408: There is no ExecutionHookTemplate "freze" in namespace shop. Did you mean "freeze"?',
    ]);
    expect(
      reported({ missingTemplates, knownTemplates: ['a1', 'b1', 'c1', 'd1', 'e1', 'f1'] }),
    ).toEqual([
      'LHS408: There is no ExecutionHookTemplate "freze" in namespace shop. Create it, or name one that exists: a1, b1, c1, d1, e1, and 1 more.',
    ]);
    expect(reported({ missingTemplates })).toEqual([
      'LHS408: There is no ExecutionHookTemplate "freze" in namespace shop. Create it: the namespace has none.',
    ]);
  });

  it('is refused for a recipe that does not exist', () => {
    expect(reported({ infos: [{ recipe: { name: 'mariadb-lok' } }] })).toEqual([
      'LHS501: There is no recipe "mariadb-lok". Did you mean "mariadb-lock"?',
    ]);
    expect(reported({ infos: [{ recipe: { name: 'mariadb-lock' } }] })).toEqual([]);
  });

  it('is refused for a claim whose annotation names hooks that cannot be', () => {
    expect(reported({ wrongAnnotations: ['annotation x of claim data must hold a list'] })).toEqual(
      [
        'LHS409: annotation x of claim data must hold a list. Correct the annotation of the claim, or give --template or --recipe.',
      ],
    );
  });
});
