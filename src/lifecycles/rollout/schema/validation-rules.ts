/** The rules that CEL can express, which are the same as in the check-*.ts files. */
import type { RulesByPlace } from '../../../controller/definitions/definition.ts';
import { FIXED_DEPLOYMENT, NO_ROLLING_MID, NO_ROLLING_POST_ABORT } from './check-lifecycle.ts';

export const lifecycleRules: RulesByPlace = {
  'spec.deploymentName': [{ rule: 'self == oldSelf', message: FIXED_DEPLOYMENT }],
  'spec.rollingUpdate': [
    {
      rule: '!has(self.mid)',
      message: NO_ROLLING_MID,
      reason: 'FieldValueForbidden',
      fieldPath: '.mid',
    },
  ],
  'spec.rollingUpdate.post': [
    {
      rule: "!has(self.failurePolicy) || self.failurePolicy != 'Abort'",
      message: NO_ROLLING_POST_ABORT,
      fieldPath: '.failurePolicy',
    },
  ],
};
