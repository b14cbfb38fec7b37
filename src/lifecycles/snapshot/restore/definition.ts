/** The custom resource definition of SnapshotRestore, with the rules that the server checks by itself. */
import { type DefinedKind, type RulesByPlace } from '../../../controller/definitions/definition.ts';
import { specAndStatus } from '../../../controller/definitions/structural-schema.ts';
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

export const rehearsalRules: RulesByPlace = {
  'spec.rehearsal.verify': [{ rule: 'size(self) > 0', message: NO_CHECK }],
  'spec.rehearsal.postRestore[]': AFTER,
  'spec.rehearsal.verify[]': AFTER,
};

const rules: RulesByPlace = {
  spec: [
    {
      rule: 'self == oldSelf',
      message: 'the spec of a restore never changes: create another SnapshotRestore',
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
  ...specAndStatus(restoreSpecSchema, restoreStatusSchema),
  rules,
  columns: [
    ['Phase', 'string', '.status.phase'],
    ['Source', 'string', '.spec.source.applicationSnapshotName', 'The ApplicationSnapshot.'],
    ['Verdict', 'string', '.status.sourceVerdict.value', 'Consistency of the snapshot.'],
    ['Verified', 'string', '.status.verification.result', 'Result of the check of the copy.'],
    ['Reason', 'string', '.status.failure.reason'],
  ],
};
