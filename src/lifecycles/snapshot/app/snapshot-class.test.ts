/** The class of a snapshot, and its cut signal (SNAP-CASE31). */
import { describe, expect, it } from 'vitest';

import {
  IS_DEFAULT_CLASS,
  IS_DEFAULT_GROUP_CLASS,
  type SnapshotClass,
} from '../../../kube/snapshots.ts';
import type { ApplicationSnapshotSpec } from '../kinds.ts';
import { CUT_SIGNAL } from '../names.ts';
import { chooseClass } from './snapshot-class.ts';

const classOf = (
  name: string,
  annotations?: Record<string, string>,
  driver = 'fast.example',
): SnapshotClass => ({
  metadata: { name, ...(annotations === undefined ? {} : { annotations }) },
  driver,
  deletionPolicy: 'Delete',
});
const theDefault = { [IS_DEFAULT_CLASS]: 'true' };

const chosen = (
  classes: SnapshotClass[],
  spec: Partial<ApplicationSnapshotSpec> = {},
  driver: string | undefined = 'fast.example',
): string => {
  const found = chooseClass({ spec: { source: {}, ...spec }, classes, driver });
  return 'reason' in found
    ? `${found.reason}: ${found.message}`
    : `${found.name} ${found.cutSignal}`;
};
const several = (kind: string, which: string, found: string): string =>
  `the snapshot names no ${kind}, so exactly one class${which} must be the default, but ${found}: name a class in the spec`;

describe('the class of a snapshot', () => {
  it('is the one that the spec names', () => {
    const classes = [classOf('gold'), classOf('fast', theDefault)];
    expect(chosen(classes, { volumeSnapshotClassName: 'gold' })).toBe('gold creationTime');
    expect(chosen(classes, { volumeSnapshotClassName: 'lead' })).toBe(
      'NoClass: VolumeSnapshotClass lead does not exist',
    );
  });

  it('must be of the driver of the volume, where that is known', () => {
    const spec = { volumeSnapshotClassName: 'slow' };
    const classes = [classOf('slow', {}, 'slow.example')];
    expect(chosen(classes, spec)).toBe(
      'WrongDriver: VolumeSnapshotClass slow has driver slow.example, but the volume has driver fast.example',
    );
    const any = chooseClass({ spec: { source: {}, ...spec }, classes });
    expect(any).toEqual({ name: 'slow', cutSignal: 'creationTime' });
  });

  it('is the only default of its driver', () => {
    const classes = [
      classOf('fast', theDefault),
      classOf('slow', theDefault, 'slow.example'),
      classOf('gold', { [IS_DEFAULT_CLASS]: 'false' }),
      classOf('plain'),
    ];
    expect(chosen(classes)).toBe('fast creationTime');
    expect(chosen(classes, {}, 'other.example')).toBe(
      `NoDefaultClass: ${several('VolumeSnapshotClass', ' for driver other.example', 'none is')}`,
    );
    expect(chosen([...classes, classOf('quick', theDefault)])).toBe(
      `SeveralDefaultClasses: ${several('VolumeSnapshotClass', ' for driver fast.example', '2 are')}`,
    );
  });

  it('is any default for a volume without a CSI driver', () => {
    const spec = { source: {} };
    const slow = classOf('slow', theDefault, 'slow.example');
    expect(chooseClass({ spec, classes: [slow] })).toMatchObject({ name: 'slow' });
    expect(chooseClass({ spec, classes: [slow, classOf('fast', theDefault)] })).toEqual({
      reason: 'SeveralDefaultClasses',
      message: several('VolumeSnapshotClass', '', '2 are'),
    });
  });

  it('is a class of groups for a group', () => {
    const spec = { mode: 'Group', volumeGroupSnapshotClassName: 'groups' } as const;
    expect(chosen([classOf('groups')], spec)).toBe('groups creationTime');
    expect(chosen([], spec)).toBe('NoClass: VolumeGroupSnapshotClass groups does not exist');
    const mode = 'Group';
    const groupDefault = classOf('groups', { [IS_DEFAULT_GROUP_CLASS]: 'true' });
    expect(chosen([groupDefault], { mode })).toBe('groups creationTime');
    expect(chosen([classOf('fast', theDefault)], { mode })).toBe(
      `NoDefaultClass: ${several('VolumeGroupSnapshotClass', ' for driver fast.example', 'none is')}`,
    );
  });
});

describe('the cut signal', () => {
  const signalled = (signal: string): SnapshotClass[] => [
    classOf('fast', { ...theDefault, [CUT_SIGNAL]: signal }),
  ];

  it.each(['creationTime', 'readyToUse'])('is the annotation of the class: %s', (signal) => {
    expect(chosen(signalled(signal))).toBe(`fast ${signal}`);
  });

  it('is the one of the spec before that of the class', () => {
    expect(chosen(signalled('readyToUse'), { cutSignal: 'creationTime' })).toBe(
      'fast creationTime',
    );
  });

  it('must be one of the two', () => {
    expect(chosen(signalled('soon'))).toBe(
      'WrongCutSignal: annotation lifehook.dev/cut-signal of class fast must be "creationTime" or "readyToUse"; it is "soon"',
    );
  });
});
