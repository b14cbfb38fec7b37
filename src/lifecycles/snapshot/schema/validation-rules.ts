/**
 * The rules of the snapshot kinds that CEL can express: those of the check-*.ts files, with messages of their own.
 *
 * Every list to which a rule applies is bounded, so the cost of the rule is bounded too.
 */
import type { RulesByPlace } from '../../../controller/definitions/definition.ts';
import type { Rule } from '../../../controller/definitions/structural-schema.ts';
import { EMPTY_CLAIM_SELECTOR, LONG_GUARD_NAME } from './check-guard.ts';
import { WINDOW_OF_NAMED_CLAIMS } from './check-snapshot.ts';
import { GUARD_NAME_CHARACTERS_MAX } from './limits.ts';

const ONE_HANDLER: Rule = {
  rule: '[has(self.exec), has(self.httpGet), has(self.tcpSocket), has(self.session), has(self.action) && has(self.action.exec), has(self.action) && has(self.action.httpGet), has(self.action) && has(self.action.tcpSocket)].filter(given, given).size() == 1',
  message: 'give exactly one of exec, httpGet, tcpSocket and session',
};

const SESSION: readonly Rule[] = [
  {
    rule: '!has(self.client) || has(self.ready)',
    message: 'with a client, ready is required: the line of its output that confirms the freeze',
  },
  {
    rule: 'has(self.client) || !has(self.ready)',
    message: 'ready is a line of the output of the client: add client, or remove ready',
  },
];

const NO_SESSION: Rule = {
  rule: '!has(self.session)',
  message: 'a session both freezes and thaws: move it to preAction',
};

const ACTIONS: readonly Rule[] = [
  {
    rule: '!has(self.recipe) || !(has(self.preAction) || has(self.postAction) || has(self.probe) || has(self.lockScope) || has(self.rescue))',
    message:
      'a recipe has its own actions and probe: remove preAction, postAction, probe, lockScope and rescue, or remove the recipe',
  },
  {
    rule: "!has(self.lockScope) || self.lockScope != 'Kernel' || has(self.postAction) || has(self.preAction) && has(self.preAction.session) && !has(self.preAction.session.client)",
    message: 'lockScope Kernel needs a postAction, or a session without a client',
  },
  {
    rule: "!has(self.rescue) || has(self.lockScope) && self.lockScope == 'Kernel' && (has(self.postAction) ? has(self.postAction.exec) || has(self.postAction.action) && has(self.postAction.action.exec) : has(self.preAction) && has(self.preAction.session) && !has(self.preAction.session.client))",
    message:
      'a rescue needs lockScope Kernel, and a thaw by a postAction with exec or by a session without a client',
  },
  {
    rule: '!has(self.preAction) || !has(self.preAction.session) || !has(self.postAction)',
    message: 'the session of the preAction thaws by its own "thaw": move the postAction there',
  },
  {
    rule: '!has(self.expirationSeconds) || !has(self.expirationTimeSeconds) || self.expirationSeconds == self.expirationTimeSeconds',
    message: 'expirationTimeSeconds means the same as expirationSeconds: remove it',
  },
];

const FREEZES: Rule = {
  rule: 'has(self.preAction) || has(self.recipe)',
  message: 'a preAction or a recipe is required: one of them freezes',
};

const CONTAINER_SELECTOR: Rule = {
  rule: "self.size() == 1 && 'ContainerName' in self",
  message: 'the only key is ContainerName, whose value is the name of a container',
};

function actionRules(prefix: string): RulesByPlace {
  return {
    [`${prefix}preAction`]: [ONE_HANDLER],
    [`${prefix}preAction.session`]: SESSION,
    [`${prefix}postAction`]: [NO_SESSION, ONE_HANDLER],
  };
}

export const templateRules: RulesByPlace = { '': [FREEZES, ...ACTIONS], ...actionRules('') };

const OWN_ACTIONS =
  'has(self.policy) || has(self.preAction) || has(self.postAction) || has(self.probe) || has(self.lockScope) || has(self.rescue) || has(self.recipe) || has(self.expirationSeconds) || has(self.expirationTimeSeconds)';

export const hookRules: RulesByPlace = {
  spec: [
    {
      rule: 'self == oldSelf',
      message: 'the spec of a hook never changes: delete it, and create another one',
    },
    {
      rule: 'has(self.podContainerNamesList) || has(self.podSelector) || has(self.containerSelector)',
      message: 'name the pods and containers, or give a podSelector or a containerSelector',
    },
    {
      rule: `has(self.executionHookTemplateName) != (${OWN_ACTIONS})`,
      message: 'name a template, or write actions: exactly one of the two',
    },
    { ...FREEZES, rule: `has(self.executionHookTemplateName) || ${FREEZES.rule}` },
    ...ACTIONS,
  ],
  'spec.containerSelector': [CONTAINER_SELECTOR],
  ...actionRules('spec.'),
};

const infoRules: RulesByPlace = {
  'spec.executionHookInfos[]': [
    {
      rule: 'has(self.executionHookTemplateName) != has(self.recipe)',
      message: 'name a template, or a recipe: exactly one of the two',
    },
  ],
  'spec.executionHookInfos[].containerSelector': [CONTAINER_SELECTOR],
};

export const snapshotRules: RulesByPlace = {
  spec: [
    {
      rule: 'self == oldSelf',
      message: 'the spec of a snapshot never changes: create another one',
    },
    {
      rule: "!has(self.mode) || self.mode != 'Group' || has(self.source.selector)",
      message: 'mode Group selects its claims by labels: give a selector instead of names',
    },
    {
      rule: "!has(self.mode) || self.mode != 'Group' || !has(self.volumeSnapshotClassName)",
      message:
        'mode Group does not use volumeSnapshotClassName: give volumeGroupSnapshotClassName instead',
    },
    {
      rule: "has(self.mode) && self.mode == 'Group' || !has(self.volumeGroupSnapshotClassName)",
      message:
        'volumeGroupSnapshotClassName is for mode Group: set the mode, or give volumeSnapshotClassName',
    },
    {
      rule: "!has(self.window) || has(self.source.persistentVolumeClaimNames) && has(self.executionHookInfos) && self.executionHookInfos.size() > 0 && !has(self.volumeSnapshotClassName) && (!has(self.mode) || self.mode != 'Group')",
      message: WINDOW_OF_NAMED_CLAIMS,
    },
  ],
  'spec.source': [
    {
      rule: 'has(self.persistentVolumeClaimNames) != has(self.selector)',
      message: 'give exactly one of persistentVolumeClaimNames and selector',
    },
  ],
  'spec.source.selector': [
    {
      rule: '!has(self.matchExpressions)',
      message: 'group snapshots ignore matchExpressions: select the claims by matchLabels',
    },
    {
      rule: 'has(self.matchLabels) && self.matchLabels.size() > 0',
      message: 'give at least one label of the claims in matchLabels',
    },
  ],
  ...infoRules,
};

export const guardRules: RulesByPlace = {
  '': [
    {
      rule: `self.metadata.name.size() <= ${GUARD_NAME_CHARACTERS_MAX}`,
      message: LONG_GUARD_NAME,
    },
  ],
  'spec.claimSelector': [
    {
      rule: 'has(self.matchLabels) && self.matchLabels.size() > 0 || has(self.matchExpressions) && self.matchExpressions.size() > 0',
      message: EMPTY_CLAIM_SELECTOR,
    },
  ],
  'spec.claimSelector.matchExpressions[]': [
    {
      rule: "self.operator in ['In', 'NotIn', 'Exists', 'DoesNotExist']",
      message: 'the operator is In, NotIn, Exists or DoesNotExist',
    },
    {
      rule: "(self.operator == 'In' || self.operator == 'NotIn') == (has(self.values) && self.values.size() > 0)",
      message: 'give values with In and NotIn, and only with them',
    },
  ],
  ...infoRules,
};
