/** Five deliberate defects of the API server. The suite must find each of them. */
export interface Defect {
  readonly name: string;
  readonly file: string;
  /** Text to replace in the source; it occurs exactly once. */
  readonly text: string;
  readonly by: string;
  /** Pattern of the scenarios to run. */
  readonly pattern: string;
  /** Must match one line of the reported differences. */
  readonly reported: RegExp;
}

export const defects: readonly Defect[] = [
  {
    name: 'a lost watch event',
    file: 'packages/local-cluster/src/api/verbs/watch.ts',
    text: "if (type === 'DELETED') return line('DELETED', object);",
    by: "if (type === 'DELETED') return null;",
    pattern: '^core/v1/configmaps watch$',
    reported: /configmaps watch \/ as it happens: body/,
  },
  {
    name: 'a wrong conflict',
    file: 'packages/local-cluster/src/api/verbs/change-object.ts',
    text: 'if (asked === String(current.revision)) return;',
    by: 'if (Number(asked) >= current.revision - 1) return;',
    pattern: '^core/v1/configmaps update$',
    reported: /configmaps update \/ from an older revision: status is 200, and was 409/,
  },
  {
    name: 'a pruned field that is kept',
    file: 'packages/local-cluster/src/objects/decode-value.ts',
    text: 'if (type.preserveUnknown) return [[name, part]];',
    by: "if (type.preserveUnknown || outer.path === 'spec') return [[name, part]];",
    pattern: '^custom-kinds life$',
    reported: /custom-kinds life \/ unknown fields are pruned: body/,
  },
  {
    name: 'a finalizer that is skipped',
    file: 'packages/local-cluster/src/api/verbs/plan-deletion.ts',
    text: 'const held = finalizers.length > 0 || request.held;',
    by: 'const held = finalizers.length > 1 || request.held;',
    pattern: '^core/v1/configmaps delete$',
    reported: /configmaps delete \/ held: /,
  },
  {
    name: 'a stale list',
    file: 'packages/local-cluster/src/api/verbs/list.ts',
    text: 'return { revision: store.revision, list: store.list(storageName) };',
    by: 'return { revision: store.revision, list: store.listAt(storageName, store.revision - 1) ?? [] };',
    pattern: '^core/v1/configmaps read$',
    reported: /configmaps read \/ list( now)?: body/,
  },
];
