/** The custom resource definition of SnapshotRestore, with the rules that the server checks by itself. */
import {
  AGE,
  type DefinedKind,
  type RulesByPlace,
} from '../../../controller/definitions/definition.ts';
import { structuralSchema, unbounded } from '../../../controller/definitions/structural-schema.ts';
import { NO_CHECK } from './check-spec.ts';
import { restoreSpecSchema } from './spec-schema.ts';
import { restoreStatusSchema } from './status-schema.ts';

const ONE_HANDLER = {
  rule: '(has(self.scale) ? 1 : 0) + (has(self.exec) ? 1 : 0) + (has(self.pod) ? 1 : 0) == 1',
  message: 'give exactly one of scale, exec and pod',
};

const NO_SCALE = {
  rule: '!has(self.scale)',
  message: 'scale stops a workload: move it to preRestore',
};

const AFTER = [NO_SCALE, ONE_HANDLER];

/** The rules for the rehearsals of a schedule. */
export const rehearsalRules: RulesByPlace = {
  'spec.rehearsal.verify': [{ rule: 'size(self) > 0', message: NO_CHECK }],
  'spec.rehearsal.postRestore[]': AFTER,
  'spec.rehearsal.verify[]': AFTER,
};

const rules: RulesByPlace = {
  spec: [
    {
      rule: 'self == oldSelf',
      message: 'a restore is made once, and its spec never changes: create another',
    },
  ],
  'spec.source': [
    {
      rule: 'has(self.applicationSnapshotName) != has(self.volumeSnapshotNames)',
      message: 'give exactly one of applicationSnapshotName and volumeSnapshotNames',
    },
  ],
  'spec.preRestore[]': [ONE_HANDLER],
  'spec.postRestore[]': AFTER,
  'spec.verify[]': AFTER,
};

export const restoreKind: DefinedKind = {
  kind: 'SnapshotRestore',
  shortName: 'snaprestore',
  description:
    'Creates new claims from a snapshot, runs hooks before and after, and verifies the restored copy.',
  body: () => ({
    spec: structuralSchema(restoreSpecSchema),
    status: unbounded(structuralSchema(restoreStatusSchema)),
  }),
  required: ['spec'],
  rules,
  columns: [
    { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
    {
      name: 'Source',
      type: 'string',
      jsonPath: '.spec.source.applicationSnapshotName',
      description: 'The ApplicationSnapshot.',
    },
    {
      name: 'Verdict',
      type: 'string',
      jsonPath: '.status.sourceVerdict.value',
      description: 'Consistency of the snapshot.',
    },
    {
      name: 'Verified',
      type: 'string',
      jsonPath: '.status.verification.result',
      description: 'Result of the check of the copy.',
    },
    { name: 'Reason', type: 'string', jsonPath: '.status.failure.reason' },
    AGE,
  ],
};
