/** Compares our answers with those of skaffold 2.24, recorded from its `build` with the same artifact and hook. */
import { connect } from 'node:http2';
import { afterEach, describe, expect, test } from 'vitest';

import { SAMPLE_FACTS } from '../../../../../test/fixtures/pipeline/api-facts.ts';
import { nodeGrpcServer } from '../../../../platform/node-grpc-server.ts';
import { nodePlatform } from '../../../../platform/node-platform.ts';
import { type EventBody, EventStream } from '../event-stream.ts';
import { apiMethods, EventApi } from './api-service.ts';
import { encodeMessage } from './encode.ts';
import { MESSAGES } from './messages.ts';

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const phase = { type: 'PhaseEvent', phase: 'build', subject: 'web' } as const;
const hook = {
  type: 'HostCallbackEvent',
  callback: 'pre-build',
  address: 'build/web/before/0',
} as const;
const forwarded = {
  address: '127.0.0.1',
  localPort: 4503,
  kind: 'service',
  namespace: 'shop',
  name: 'web',
  port: 80,
};

const STORY: readonly EventBody[] = [
  { type: 'HookCounts', counts: { 'pre-build': 1 } },
  { ...phase, status: 'InProgress' },
  { ...hook, status: 'InProgress' },
  { type: 'Output', source: 'build/web/before/0', stream: 'stdout', line: 'pre' },
  { ...hook, status: 'Completed', exitCode: 0 },
  { ...phase, status: 'Succeeded' },
  { type: 'PhaseEvent', phase: 'sync', subject: 'web', status: 'Succeeded', fileCount: 2 },
  { type: 'PhaseEvent', phase: 'portForward', status: 'Succeeded', forwarded },
  { type: 'Warning', code: 'LHL202', message: 'no container' },
  { type: 'Iteration', number: 2, changed: ['a'] },
  { type: 'PhaseEvent', phase: 'test', status: 'Succeeded' },
  { type: 'PhaseEvent', phase: 'render', status: 'Succeeded' },
  { type: 'PhaseEvent', phase: 'deploy', status: 'Failed', message: 'refused' },
  { type: 'PhaseEvent', phase: 'verify', status: 'Skipped' },
  { type: 'Ended', exitCode: 1, message: 'refused' },
];

function reported(story: readonly EventBody[]): EventApi {
  const stream = new EventStream({ runId: 'r', clock: { nowMs: () => 1_500 } });
  const api = new EventApi(stream, SAMPLE_FACTS);
  for (const one of story) stream.emit(one);
  stream.close();
  return api;
}

async function events(version: 1 | 2, story = STORY): Promise<readonly Record<string, unknown>[]> {
  const { signal } = new AbortController();
  const found: Record<string, unknown>[] = [];
  for await (const one of reported(story).events(version, signal)) found.push({ ...one });
  return found;
}

const BEGUN = STORY.slice(0, 3);

describe('the state', () => {
  test('has no error of a build that has succeeded since', () => {
    const failed = { ...phase, status: 'Failed', message: 'no' } as const;
    const code = { buildState: { statusCode: 'BUILD_UNKNOWN' } };
    expect(reported([...BEGUN, failed]).state(2)).toMatchObject(code);
    const again = reported([...BEGUN, failed, { ...phase, status: 'Succeeded' }]);
    expect(again.state(2)).toMatchObject({ buildState: { statusCode: 'OK' } });
  });

  test('of version 2 has the fields and words of the shipped tool, and the numbers of hooks (PIPE-V3)', () => {
    expect(reported(BEGUN).state(2)).toEqual({
      buildState: { artifacts: { web: 'InProgress' }, autoTrigger: false, statusCode: 'OK' },
      deployState: { status: 'NotStarted', autoTrigger: false, statusCode: 'OK' },
      forwardedPorts: {},
      statusCheckState: { status: 'NotStarted', resources: {}, statusCode: 'OK' },
      fileSyncState: { status: 'NotStarted', autoTrigger: false },
      debuggingContainers: [],
      metadata: {
        build: {
          artifacts: [{ type: 'CUSTOM', name: 'web', context: '.', dockerfile: '' }],
          type: 'LOCAL',
          additional: {},
        },
        deploy: { deployers: [{ type: 'KUBECTL', count: 1 }], cluster: 'OTHER' },
        test: null,
        runID: 'r',
        render: { Renderers: [] },
        additional: { 'hooks.pre-build': '1' },
      },
      testState: { status: 'NotStarted', statusCode: 'OK' },
      renderState: { status: 'NotStarted', statusCode: 'OK' },
      verifyState: { status: 'NotStarted', statusCode: 'OK' },
      execState: { status: 'NotStarted', statusCode: 'OK' },
    });
  });

  test('of version 1 has its own words', () => {
    expect(reported(BEGUN).state(1)).toEqual({
      buildState: { artifacts: { web: 'In Progress' }, autoTrigger: false, statusCode: 'OK' },
      deployState: { status: 'Not Started', autoTrigger: false, statusCode: 'OK' },
      forwardedPorts: {},
      statusCheckState: { status: 'Not Started', resources: {}, statusCode: 'OK' },
      fileSyncState: { status: 'Not Started', autoTrigger: false },
      debuggingContainers: [],
      metadata: {
        build: {
          numberOfArtifacts: 1,
          builders: [{ type: 'CUSTOM', count: 1 }],
          type: 'LOCAL',
          additional: {},
        },
        deploy: { deployers: [{ type: 'KUBECTL', count: 1 }], cluster: 'OTHER' },
        test: null,
        additional: { 'hooks.pre-build': '1' },
      },
      testState: { status: 'Not Started', statusCode: 'OK' },
    });
  });

  test('follows what is done, what failed and which ports are open', () => {
    expect(reported(STORY).state(2)).toMatchObject({
      buildState: { artifacts: { web: 'Complete' } },
      deployState: { status: 'Failed', statusCode: 'DEPLOY_UNKNOWN' },
      fileSyncState: { status: 'Succeeded' },
      forwardedPorts: {
        4503: { localPort: 4503, resourceName: 'web', targetPort: { intVal: 80 } },
      },
      testState: { status: 'Complete' },
    });
  });
});

test('the state has no port that is closed', () => {
  const closed = { type: 'PortsClosed', localPorts: [4503] } as const;
  expect(reported([...STORY.slice(0, 8), closed]).state(2)).toHaveProperty('forwardedPorts', {});
});

describe('the events', () => {
  test('of version 2 are the task, its artifact, and hooks as log lines', async () => {
    const found = await events(2, STORY.slice(0, 4));
    expect(found.map((one) => Object.keys(one)[1])).toEqual([
      'metaEvent',
      'taskEvent',
      'buildSubtaskEvent',
      'skaffoldLogEvent',
      'skaffoldLogEvent',
    ]);
    const timestamp = '1970-01-01T00:00:01.500Z';
    expect(found[1]).toEqual({
      timestamp,
      taskEvent: {
        id: 'Build-0',
        task: 'Build',
        description: 'Build containers',
        iteration: 0,
        status: 'InProgress',
        actionableErr: null,
      },
    });
    expect(found[2]).toEqual({
      timestamp,
      buildSubtaskEvent: {
        id: 'web',
        task_id: 'Build-0',
        artifact: 'web',
        step: 'Build',
        status: 'InProgress',
        actionableErr: null,
        hostPlatform: 'linux/amd64',
        targetPlatforms: '',
      },
    });
    expect(found[4]).toMatchObject({
      skaffoldLogEvent: { task_id: 'Build-0', level: 'STANDARD', message: 'pre\n' },
    });
  });

  test('of version 2 end a task when another begins, and name its failure', async () => {
    const tasks = (await events(2)).flatMap(({ taskEvent }) =>
      taskEvent === undefined ? [] : [taskEvent as { id: string; status: string }],
    );
    expect(tasks.map(({ id, status }) => `${id} ${status}`)).toEqual([
      'Build-0 InProgress',
      'Build-0 Succeeded',
      'PortForward-0 InProgress',
      'PortForward-0 Succeeded',
      'Test-1 InProgress',
      'Test-1 Succeeded',
      'Render-1 InProgress',
      'Render-1 Succeeded',
      'Deploy-1 InProgress',
      'Deploy-1 Failed',
      'Verify-1 InProgress',
      'Verify-1 Succeeded',
    ]);
  });

  test('of version 2 give a port that opens after a reload the task of its iteration', async () => {
    const story = [...STORY.slice(0, 10), ...STORY.slice(7, 8)];
    const task_id = 'PortForward-1';
    const [begun, port] = (await events(2, story)).slice(-2);
    expect(begun).toMatchObject({ taskEvent: { id: task_id } });
    expect(port).toMatchObject({ portEvent: { task_id } });
    expect(reported(story).state(2)).toMatchObject({ forwardedPorts: { 4503: { task_id } } });
  });

  test('of version 1 are the entries that the shipped tool has', async () => {
    const [, started] = await events(1, STORY.slice(0, 2));
    expect(started).toEqual({
      timestamp: '1970-01-01T00:00:01.500Z',
      event: {
        buildEvent: {
          artifact: 'web',
          status: 'In Progress',
          err: '',
          errCode: 'OK',
          actionableErr: null,
          hostPlatform: 'linux/amd64',
          targetPlatforms: '',
        },
      },
      entry: 'Build started for artifact web',
    });
  });
});

describe('over gRPC', () => {
  test('every event and state has its place in a message', async () => {
    for (const version of [1, 2] as const) {
      const name = version === 1 ? 'LogEntry' : 'Event';
      for (const one of await events(version)) encodeMessage(MESSAGES[version], name, one);
      encodeMessage(MESSAGES[version], 'State', reported(STORY).state(version));
    }
  });

  test('a message has the bytes of protocol buffers', () => {
    const bytes = encodeMessage(MESSAGES[2], 'TaskEvent', {
      id: 'Build-0',
      task: '',
      iteration: 300,
    });
    expect(Buffer.from(bytes).toString('hex')).toBe('0a074275696c642d3020ac02');
  });

  test('GetState answers one message, and an unknown method gets the status UNIMPLEMENTED', async () => {
    const server = await nodeGrpcServer(apiMethods(reported(BEGUN)), 0);
    closers.push(() => server.close());
    const state = await called(server.port, '/proto.v2.SkaffoldV2Service/GetState');
    expect(state.status).toBe('0');
    const expected = encodeMessage(MESSAGES[2], 'State', reported(BEGUN).state(2));
    expect(state.body.readUInt32BE(1)).toBe(expected.length);
    expect(state.body.subarray(5)).toEqual(Buffer.from(expected));
    expect((await called(server.port, '/proto.v2.SkaffoldV2Service/Execute')).status).toBe('12');
  });

  test('Events answers until the session ends, and ends with the server', async () => {
    const stream = new EventStream({ runId: 'r', clock: nodePlatform.clock });
    const server = await nodeGrpcServer(apiMethods(new EventApi(stream, SAMPLE_FACTS)), 0);
    closers.push(() => server.close());
    stream.emit({ type: 'HookCounts', counts: {} });
    const reading = called(server.port, '/proto.SkaffoldService/Events');
    stream.emit({ type: 'Ended', exitCode: 0 });
    stream.close();
    const { status, body } = await reading;
    expect(status).toBe('0');
    expect(body.toString('latin1')).toContain('Starting Lifehook 0.1.0');
  });
});

async function called(port: number, path: string): Promise<{ status: string; body: Buffer }> {
  const session = connect(`http://127.0.0.1:${port}`);
  try {
    const request = session.request({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    let status = '';
    const take = (headers: object): void => {
      status = (headers as Record<string, string>)['grpc-status'] ?? status;
    };
    request.on('response', take).on('trailers', take);
    request.end(Buffer.alloc(5));
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    return { status, body: Buffer.concat(pieces) };
  } finally {
    session.close();
  }
}
