import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../../../../../src/kube/object.ts';
import { builtinDefinitions } from '../../objects/kinds/definitions.ts';
import { judgeConditions, type Judged } from './match-conditions.ts';
import type { ReviewedRequest } from './reviewed-request.ts';

const [as] = builtinDefinitions();

function judge(...expressions: readonly string[]): Promise<Judged> {
  if (as === undefined) throw new Error('no definition');
  const object: JsonObject = {
    metadata: { name: 'a', labels: { x: 'y' } },
    spec: { replicas: 3, items: Array.from({ length: 2_000 }, (_, index) => index) },
  };
  const reviewed: ReviewedRequest = {
    head: { operation: 'CREATE', userInfo: { username: 'me', groups: ['g'] } },
    object,
    oldObject: null,
    options: null,
    as,
  };
  return judgeConditions(
    expressions.map((expression, index) => ({ name: `c${index}`, expression })),
    reviewed,
  );
}

describe('the matchConditions of a webhook', () => {
  it('can read the object, the old object and the request', async () => {
    const all = [
      'object.spec.replicas == 3',
      'has(object.metadata.labels) && object.metadata.labels.x.startsWith("y")',
      'oldObject == null',
      'request.operation == "CREATE" && "g" in request.userInfo.groups',
      'request.userInfo.username.matches("^m.$")',
    ];
    expect(await judge(...all)).toEqual({ matches: true });
    expect(await judge(...all, 'object.metadata.name == "b"')).toEqual({ matches: false });
  });

  it('do not match if one is false, even if another fails', async () => {
    expect(await judge('object.none.at == 1', 'false')).toEqual({ matches: false });
  });

  it('report the name of a condition that cannot be evaluated', async () => {
    const judged = await judge('object.none.at == 1');
    expect(judged).toEqual({
      error: expect.stringMatching(/^expression 'c0' resulted in error: /),
    });
    expect(await judge('1 + 1')).toEqual({
      error: expect.stringContaining('neither true nor false'),
    });
    expect(await judge('object ==')).toEqual({
      error: expect.stringContaining('compilation failed'),
    });
  });

  it('refuse an expression whose evaluation could take too long', async () => {
    const nested = 'object.spec.items.all(a, object.spec.items.all(b, a == b || true))';
    expect(await judge(nested)).toEqual({ error: expect.stringContaining('too long') });
  });
});
