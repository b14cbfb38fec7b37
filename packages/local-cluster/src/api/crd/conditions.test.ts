import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../../../../../src/kube/object.ts';
import {
  acceptNames,
  beginCleanUp,
  CLEAN_UP_FINALIZER,
  conditionOf,
  withCondition,
} from './conditions.ts';

const now = '2026-01-01T00:00:00Z';

describe('the clean-up of a custom resource definition', () => {
  const old = { metadata: { name: 'a', generation: 3, finalizers: ['example.com/hold'] } };
  const marked = {
    metadata: {
      ...old.metadata,
      generation: 4,
      deletionTimestamp: now,
      deletionGracePeriodSeconds: 0,
    },
  };

  it('begins with a finalizer and a condition, and changes neither grace period nor generation', () => {
    expect(beginCleanUp(marked, old)).toEqual({
      metadata: {
        ...old.metadata,
        deletionTimestamp: now,
        finalizers: ['example.com/hold', CLEAN_UP_FINALIZER],
      },
      status: {
        conditions: [
          expect.objectContaining({
            type: 'Terminating',
            status: 'True',
            reason: 'InstanceDeletionPending',
            lastTransitionTime: now,
          }),
        ],
      },
    });
  });

  it('begins only once', () => {
    const begun = beginCleanUp(marked, old);
    const condition = {
      type: 'Terminating',
      status: 'True',
      reason: 'InstanceDeletionInProgress',
      message: '',
    } as const;
    const terminating = withCondition(begun, condition, now);
    expect(beginCleanUp(terminating, begun)).toBe(terminating);
    expect(conditionOf(terminating, 'Terminating')).toMatchObject({ reason: condition.reason });
  });
});

const names = (plural: string, kind: string, more: JsonObject = {}): JsonObject => ({
  plural,
  singular: kind.toLowerCase(),
  kind,
  listKind: `${kind}List`,
  ...more,
});

const asks = (wanted: JsonObject, acceptedNames?: JsonObject): JsonObject => ({
  spec: { names: wanted },
  status: acceptedNames === undefined ? {} : { acceptedNames },
});

const has = (accepted: JsonObject): JsonObject => asks(accepted, accepted);

describe('the names of a custom resource definition', () => {
  it('are accepted as requested when they are free', () => {
    const wanted = names('widgets', 'Widget', { shortNames: ['wd'], categories: ['all'] });
    const decision = acceptNames(asks(wanted), [has(names('gadgets', 'Gadget'))]);
    expect(decision.names).toEqual(wanted);
    expect(decision.condition).toMatchObject({ status: 'True', reason: 'NoConflicts' });
  });

  it.each([
    [names('gadgets', 'Widget'), 'PluralConflict', '"gadgets" is already in use'],
    [names('widgets', 'Gadget'), 'ListKindConflict', '"GadgetList" is already in use'],
    [
      names('widgets', 'Widget', { singular: 'gadget' }),
      'SingularConflict',
      '"gadget" is already in use',
    ],
    [
      names('widgets', 'Widget', { shortNames: ['gd', 'gadget', 'ok'] }),
      'ShortNamesConflict',
      '["gd" is already in use, "gadget" is already in use]',
    ],
  ])('are refused when another definition has them (%#)', (wanted, reason, message) => {
    const other = has(names('gadgets', 'Gadget', { shortNames: ['gd'] }));
    const { condition } = acceptNames(asks(wanted), [other]);
    expect(condition).toEqual({ type: 'NamesAccepted', status: 'False', reason, message });
  });

  it('stay with their definition, and a refused change keeps the accepted names', () => {
    const mine = names('widgets', 'Widget', { shortNames: ['wd'] });
    const wanted = { ...mine, kind: 'Gadget', shortNames: ['wd', 'gd'] };
    const other = has(names('gadgets', 'Gadget', { shortNames: ['gd'] }));
    const { names: accepted, condition } = acceptNames(asks(wanted, mine), [other, has(mine)]);
    expect(accepted).toEqual(mine);
    expect(condition.status).toBe('False');
    expect(acceptNames(asks(mine, mine), [other, has(mine)]).condition.status).toBe('True');
  });
});
