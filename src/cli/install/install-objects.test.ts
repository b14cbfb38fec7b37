import { describe, expect, it } from 'vitest';

import type { KubeObject } from '../../kube/object.ts';
import { installObjects } from './install-objects.ts';
import { type InstallOptions, NAME } from './install-options.ts';

const options: InstallOptions = {
  namespace: 'lifehook-system',
  namespaced: false,
  image: 'docker.io/local/lifehook:1',
  replicas: 2,
  snapshotKinds: false,
  timeline: true,
};

interface Ruled extends KubeObject {
  readonly rules?: readonly {
    apiGroups: string[];
    resources: string[];
    resourceNames?: string[];
    verbs: string[];
  }[];
}

/** Leaves out the roles for users, so that only the rules of the controllers are compared. */
function rulesOf(given: InstallOptions, kind: string): NonNullable<Ruled['rules']> {
  return (installObjects(given) as Ruled[])
    .filter((object) => object.kind === kind && object.metadata?.name?.startsWith(NAME) === true)
    .flatMap(({ rules = [] }) => rules);
}

describe('installObjects', () => {
  it('lists objects in the order in which they can be created', () => {
    expect(installObjects(options).map(({ kind }) => kind)).toEqual([
      'Namespace',
      ...Array.from({ length: 8 }, () => 'CustomResourceDefinition'),
      'ServiceAccount',
      'ClusterRole',
      'Role',
      'ClusterRoleBinding',
      'RoleBinding',
      'ClusterRole',
      'ClusterRole',
      'NetworkPolicy',
      'Service',
      'Deployment',
    ]);
  });

  it('includes the volume snapshot kinds with snapshotKinds', () => {
    const names = installObjects({ ...options, snapshotKinds: true }).map(
      ({ metadata }) => metadata?.name,
    );
    expect(names).toContain('volumesnapshots.snapshot.storage.k8s.io');
    expect(names).toContain('volumegroupsnapshots.groupsnapshot.storage.k8s.io');
  });

  it('grants no rule with a wildcard', () => {
    const rules = [...rulesOf(options, 'ClusterRole'), ...rulesOf(options, 'Role')];
    for (const { apiGroups, resources, verbs } of rules) {
      expect([...apiGroups, ...resources, ...verbs]).not.toContain('*');
    }
  });

  it('merges the rules that several lifecycles need for pods', () => {
    const rules = rulesOf(options, 'ClusterRole').filter(
      ({ resources }) => resources[0] === 'pods',
    );
    expect(rules.map(({ verbs }) => verbs)).toEqual([
      ['get', 'list', 'watch', 'create', 'delete', 'patch'],
    ]);
  });

  it('grants access only to our own Secrets and webhooks', () => {
    const rules = [...rulesOf(options, 'ClusterRole'), ...rulesOf(options, 'Role')].filter(
      ({ resources }) => resources.some((one) => /secrets|webhook/.test(one)),
    );
    const named = rules.filter(({ resourceNames }) => resourceNames !== undefined);
    expect(named.map(({ resourceNames, verbs }) => [resourceNames, verbs])).toEqual([
      [
        ['lifehook-webhook', 'lifehook-rollout-gate'],
        ['get', 'patch'],
      ],
      [['lifehook-webhook'], ['get', 'update']],
    ]);
    const others = rules.filter(({ resourceNames }) => resourceNames === undefined);
    expect(others.map(({ verbs }) => verbs)).toEqual([['create'], ['create']]);
  });

  it('allows to patch Deployments, but not to create or delete them', () => {
    const verbs = (resource: string): string[] =>
      rulesOf(options, 'ClusterRole')
        .filter(({ resources }) => resources.includes(resource))
        .flatMap((rule) => rule.verbs);
    expect(verbs('deployments')).toEqual(['get', 'list', 'watch', 'patch']);
    expect(verbs('replicasets')).toEqual(['get', 'list', 'watch']);
    expect(verbs('hookruns')).toContain('create');
  });

  it('grants no access to Secrets and serves no webhook when limited to one namespace', () => {
    const namespaced = { ...options, namespaced: true };
    const rules = [...rulesOf(namespaced, 'ClusterRole'), ...rulesOf(namespaced, 'Role')];
    const concerned = rules.filter(({ resources }) =>
      resources.some((one) => /secrets|webhook/.test(one)),
    );
    expect(concerned).toEqual([]);
    const kinds = installObjects(namespaced).map(({ kind }) => kind);
    expect(kinds).not.toContain('Service');
    expect(JSON.stringify(installObjects(namespaced))).not.toMatch(/webhook-address|8443/);
  });

  it.each([false, true])(
    'grants to list Events only with the timeline (namespaced: %j)',
    (namespaced) => {
      const verbs = (timeline: boolean): string[] => {
        const given = { ...options, namespaced, timeline };
        return [...rulesOf(given, 'ClusterRole'), ...rulesOf(given, 'Role')]
          .filter(({ resources }) => resources.includes('events'))
          .flatMap((rule) => rule.verbs);
      };
      expect(verbs(true)).toEqual(['create', 'patch', 'list', 'watch']);
      expect(verbs(false)).toEqual(['create', 'patch']);
      const text = (timeline: boolean): string =>
        JSON.stringify(installObjects({ ...options, namespaced, timeline }));
      expect(text(true)).toContain('"--timeline-address=127.0.0.1:9091"');
      expect(text(false)).not.toContain('timeline');
    },
  );

  it.each([false, true])(
    'grants the Secret of the receiver and the record only with notifications (namespaced: %j, ENG-N3)',
    (namespaced) => {
      const notifications = { secret: 'receiver', verdicts: 'all', source: '/berlin' };
      const given = { ...options, namespaced };
      const plain = rulesOf(given, 'Role');
      const added = rulesOf({ ...given, notifications }, 'Role').slice(plain.length);
      expect(
        added.map(({ resources, resourceNames, verbs }) => [resources, resourceNames, verbs]),
      ).toEqual([
        [['secrets'], ['receiver'], ['get']],
        [['configmaps'], undefined, ['create']],
        [['configmaps'], ['lifehook-notifications'], ['get', 'update']],
      ]);
      const text = JSON.stringify(installObjects({ ...given, notifications }));
      const args = '"--notify-secret=receiver","--notify-verdicts=all","--notify-source=/berlin"';
      expect(text).toContain(args);
      expect(JSON.stringify(installObjects(given))).not.toContain('notify');
    },
  );

  it('grants cluster-wide writes only on snapshot contents when limited to one namespace', () => {
    const write = ['create', 'update', 'delete', 'patch'];
    const rules = rulesOf({ ...options, namespaced: true }, 'ClusterRole');
    const writes = rules.filter(({ verbs }) => verbs.some((verb) => write.includes(verb)));
    // VolumeSnapshotContents are cluster-scoped, and the controllers write verdict labels on them.
    expect(writes.map(({ resources }) => resources)).toEqual([
      ['volumesnapshotcontents'],
      ['volumegroupsnapshotcontents'],
    ]);
  });
});
