/**
 * Lists the gRPC messages of the event API: the number, type and name of each field. "*" marks a repeated field and
 * "a>b" a map. A type with a capital letter is a message or an enumeration. Fields that we never send are omitted.
 */
type Table = Readonly<Record<string, string>>;

export const ENUMS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  StatusCode: {
    OK: 0,
    STATUSCHECK_SUCCESS: 200,
    UNKNOWN_ERROR: 500,
    DEPLOY_UNKNOWN: 504,
    BUILD_UNKNOWN: 506,
    TEST_UNKNOWN: 512,
  },
  BuilderType: { UNKNOWN_BUILDER_TYPE: 0, CUSTOM: 4, DOCKER: 6 },
  BuildType: { LOCAL: 3 },
  DeployerType: { HELM: 1, KUBECTL: 3 },
  ClusterType: { UNKNOWN_CLUSTER_TYPE: 0, MINIKUBE: 1, GKE: 2, OTHER: 3 },
  LogLevel: { WARN: 2, STANDARD: 7 },
};

/** Messages that both versions have. */
const SHARED: Table = {
  BuildState: '1 string>string artifacts; 2 bool autoTrigger; 3 StatusCode statusCode',
  DeployState: '1 string status; 2 bool autoTrigger; 3 StatusCode statusCode',
  PhaseState: '1 string status; 2 StatusCode statusCode',
  StatusCheckState: '1 string status; 2 string>string resources; 3 StatusCode statusCode',
  FileSyncState: '1 string status; 2 bool autoTrigger',
  DeployMetadata: '1 *Deployer deployers; 2 ClusterType cluster',
  Deployer: '1 DeployerType type; 2 int32 count',
  IntOrString: '1 int32 type; 2 int32 intVal; 3 string strVal',
  ActionableErr: '1 StatusCode errCode; 2 string message; 3 *Suggestion suggestions',
  Suggestion: '2 string action',
  MetaEvent: '1 string entry; 2 Metadata metadata',
  TerminationEvent: '1 string status; 2 ActionableErr err',
  Debugging: '1 string status',
  Tests: '1 string status',
};

const V1: Table = {
  ...SHARED,
  State:
    '1 BuildState buildState; 2 DeployState deployState; 4 int32>PortEvent forwardedPorts; 5 StatusCheckState statusCheckState; 6 FileSyncState fileSyncState; 7 *Debugging debuggingContainers; 8 Metadata metadata; 9 PhaseState testState',
  Metadata:
    '1 BuildMetadata build; 2 DeployMetadata deploy; 3 Tests test; 99 string>string additional',
  BuildMetadata:
    '1 int32 numberOfArtifacts; 2 *ImageBuilder builders; 3 BuildType type; 99 string>string additional',
  ImageBuilder: '1 BuilderType type; 2 int32 count',
  LogEntry: '1 time timestamp; 2 Event event; 3 string entry',
  Event:
    '1 MetaEvent metaEvent; 2 BuildEvent buildEvent; 3 DeployEvent deployEvent; 4 PortEvent portEvent; 7 FileSyncEvent fileSyncEvent; 10 TerminationEvent terminationEvent; 11 TestEvent TestEvent',
  BuildEvent:
    '1 string artifact; 2 string status; 3 string err; 4 StatusCode errCode; 5 ActionableErr actionableErr; 6 string hostPlatform; 7 string targetPlatforms',
  TestEvent: '1 string status; 2 ActionableErr actionableErr',
  DeployEvent: '1 string status; 2 string err; 3 StatusCode errCode; 4 ActionableErr actionableErr',
  FileSyncEvent:
    '1 int32 fileCount; 2 string image; 3 string status; 4 string err; 5 StatusCode errCode; 6 ActionableErr actionableErr',
  PortEvent:
    '1 int32 localPort; 2 int32 remotePort; 3 string podName; 4 string containerName; 5 string namespace; 6 string portName; 7 string resourceType; 8 string resourceName; 9 string address; 10 IntOrString targetPort',
};

const SUBTASK = '1 string id; 2 string task_id; 3 string status; 4 ActionableErr actionableErr';

const V2: Table = {
  ...SHARED,
  State:
    '1 BuildState buildState; 2 DeployState deployState; 3 int32>PortEvent forwardedPorts; 4 StatusCheckState statusCheckState; 5 FileSyncState fileSyncState; 6 *Debugging debuggingContainers; 7 Metadata metadata; 8 PhaseState testState; 9 PhaseState renderState; 10 PhaseState verifyState; 11 PhaseState execState',
  Metadata:
    '1 BuildMetadata build; 2 DeployMetadata deploy; 3 Tests test; 4 string runID; 5 RenderMetadata render; 99 string>string additional',
  BuildMetadata: '1 *Artifact artifacts; 2 BuildType type; 99 string>string additional',
  Artifact: '1 BuilderType type; 2 string name; 3 string context; 4 string dockerfile',
  RenderMetadata: '1 *Tests Renderers',
  Event:
    '1 time timestamp; 2 MetaEvent metaEvent; 3 LogEvent skaffoldLogEvent; 5 TaskEvent taskEvent; 6 BuildEvent buildSubtaskEvent; 7 Subtask deploySubtaskEvent; 8 PortEvent portEvent; 10 FileSyncEvent fileSyncEvent; 12 TerminationEvent terminationEvent; 13 Subtask testEvent; 14 Subtask renderEvent; 15 Subtask verifyEvent',
  LogEvent: '1 string task_id; 2 string subtask_id; 4 LogLevel level; 5 string message',
  TaskEvent:
    '1 string id; 2 string task; 3 string description; 4 int32 iteration; 5 string status; 6 ActionableErr actionableErr',
  BuildEvent:
    '1 string id; 2 string task_id; 3 string artifact; 4 string step; 5 string status; 6 ActionableErr actionableErr; 7 string hostPlatform; 8 string targetPlatforms',
  Subtask: SUBTASK,
  FileSyncEvent:
    '1 string id; 2 string task_id; 3 int32 fileCount; 4 string image; 5 string status; 6 ActionableErr actionableErr',
  PortEvent:
    '1 string id; 2 string task_id; 3 int32 localPort; 4 string podName; 5 string containerName; 6 string namespace; 7 string portName; 8 string resourceType; 9 string resourceName; 10 string address; 11 IntOrString targetPort',
};

export interface Field {
  readonly number: number;
  readonly name: string;
  readonly type: string;
  /** The type of a map's keys; null: the field is no map. */
  readonly key: string | null;
  readonly repeated: boolean;
}

export type Messages = ReadonlyMap<string, readonly Field[]>;

export const MESSAGES: Readonly<Record<1 | 2, Messages>> = { 1: fieldsOf(V1), 2: fieldsOf(V2) };

function fieldsOf(table: Table): Messages {
  return new Map(
    Object.entries(table).map(([name, text]) => [name, text.split('; ').map(fieldOf)] as const),
  );
}

/** Parses a field such as "3 *Suggestion suggestions" or "1 string>string artifacts". */
function fieldOf(text: string): Field {
  const [number = '', full = '', name = ''] = text.split(' ');
  const repeated = full.startsWith('*');
  const [first = '', second] = full.replace('*', '').split('>');
  const key = second === undefined ? null : first;
  return { number: Number(number), name, type: second ?? first, key, repeated };
}
