/**
 * The rules of the snapshot kinds that CEL can express: the same as in the check-*.ts files, with their messages. Every
 * list in which a rule applies is bounded, and so is the cost of the rule.
 */
import type { RulesByPlace } from '../../../controller/definitions/rules-by-place.ts';
import type { Rule } from '../../../controller/definitions/structural-schema.ts';

const ONE_HANDLER: Rule = {
  rule: '[has(self.exec), has(self.httpGet), has(self.tcpSocket), has(self.session), has(self.action) && has(self.action.exec), has(self.action) && has(self.action.httpGet), has(self.action) && has(self.action.tcpSocket)].filter(given, given).size() == 1',
  message: 'give exactly one of exec, httpGet, tcpSocket and session',
};

const SESSION: readonly Rule[] = [
  {
    rule: '!has(self.client) || has(self.ready)',
    message: 'with a client, ready says which line of its output means frozen',
  },
  {
    rule: 'has(self.client) || !has(self.ready)',
    message: 'ready is printed by a client: add client, or remove ready',
  },
];

const NO_SESSION: Rule = {
  rule: '!has(self.session)',
  message: 'a session freezes and thaws: move it to preAction',
};

const ACTIONS: readonly Rule[] = [
  {
    rule: '!has(self.recipe) || !(has(self.preAction) || has(self.postAction) || has(self.probe) || has(self.lockScope) || has(self.rescue))',
    message:
      'the recipe says itself what freezes, thaws and asks: remove preAction, postAction, probe, lockScope and rescue, or the recipe',
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
  message: 'say what freezes in preAction, or name a recipe instead',
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
      message: 'the spec of a hook never changes: delete it, and create another',
    },
    {
      rule: 'has(self.podContainerNamesList) || has(self.podSelector) || has(self.containerSelector)',
      message: 'name the pods and containers, or give a podSelector or a containerSelector',
    },
    {
      rule: `has(self.executionHookTemplateName) != (${OWN_ACTIONS})`,
      message: 'name a template, or say what the hook does: exactly one of the two',
    },
    { ...FREEZES, rule: `has(self.executionHookTemplateName) || ${FREEZES.rule}` },
    ...ACTIONS,
  ],
  'spec.containerSelector': [CONTAINER_SELECTOR],
  ...actionRules('spec.'),
};

export const snapshotRules: RulesByPlace = {
  spec: [
    {
      rule: 'self == oldSelf',
      message: 'a snapshot is of one moment, and its spec never changes: create another',
    },
    {
      rule: "!has(self.mode) || self.mode != 'Group' || has(self.source.selector)",
      message: 'mode Group selects its claims by labels: give a selector instead of names',
    },
    {
      rule: "!has(self.mode) || self.mode != 'Group' || !has(self.volumeSnapshotClassName)",
      message: 'mode Group takes volumeGroupSnapshotClassName',
    },
    {
      rule: "has(self.mode) && self.mode == 'Group' || !has(self.volumeGroupSnapshotClassName)",
      message:
        'volumeGroupSnapshotClassName is for mode Group: set the mode, or give volumeSnapshotClassName',
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
      message: 'group snapshots pass over matchExpressions: select the claims by matchLabels',
    },
    {
      rule: 'has(self.matchLabels) && self.matchLabels.size() > 0',
      message: 'give at least one label of the claims in matchLabels',
    },
  ],
  'spec.executionHookInfos[]': [
    {
      rule: 'has(self.executionHookTemplateName) != has(self.recipe)',
      message: 'name a template, or a recipe: exactly one of the two',
    },
  ],
  'spec.executionHookInfos[].containerSelector': [CONTAINER_SELECTOR],
};
