// Written by assets/player/build/document_types.py from navviz/views/player/schema.py; do not edit.

/**
 * Everything that the player needs to replay an episode without asking a server.
 */
export interface ReplayDocument {
  navigator: string;
  settings: {
    [k: string]: unknown;
  };
  /**
   * Whether its model was shown ``pictures``, or is the ``text variant`` of an agent that is.
   */
  eyes?: string;
  run?: string;
  model?: string;
  created?: string;
  source?: string;
  forked_from?: ForkEntry;
  version: number;
  frame: "geo" | "metric";
  world: string;
  title: string;
  episode: EpisodeEntry;
  nodes: DocumentNodes;
  /**
   * Flat pairs of nodes: outdoors between those of paths and visible areas, indoors all.
   */
  links: number[];
  /**
   * Lines as flat positions; outdoors only.
   */
  streets: number[][];
  /**
   * Those of `links` that do not run straight, where the world has any.
   */
  bends?: LinkBends[];
  backdrop: Area[];
  graph: DocumentGraph;
  reference: (number | string)[];
  planning: Planning;
  steps: StepEntry[];
  /**
   * Whether more may come.
   */
  running: boolean;
  streaming: Streaming;
  /**
   * Figures by their short names; ``null`` where they could not be computed.
   */
  metrics: {
    [k: string]: number | null;
  };
  /**
   * Those of `metrics` that the episode's kind is judged by.
   */
  head: HeadFigure[];
  notes: string[];
  /**
   * Why the model's service did not answer, which ended the walk; its figures say little then.
   */
  unanswered?: string;
  /**
   * Why no step has a call, where a model was asked but its log is not here.
   */
  unlogged?: string;
  /**
   * One a sub-task of the episode; empty where there are none.
   */
  stages: StageEntry[];
  /**
   * Whether the agent moves freely by motions of a fixed length; then steps play faster.
   */
  free: boolean;
  pois: PoiEntry[];
  pictures?: DocumentPictures;
  strings: string[] | PackedStrings;
  /**
   * Where steps name skills.
   */
  skills?: SkillEntry[];
  indoor?: House;
  end?: EndEntry;
  divergence?: DivergenceEntry;
  causes?: CausesEntry;
  what_if?: WhatIfEntry;
  information?: {
    [k: string]: string[];
  };
  /**
   * Name of the walk's run beside those of others; without it the legend says "agent".
   */
  label?: string;
  compare?: Compared;
  further?: FurtherWalk[];
}
/**
 * Where the trace was forked from.
 */
export interface ForkEntry {
  run: string;
  episode: string;
  step: number;
  changes: string[];
}
/**
 * The episode that was walked.
 */
export interface EpisodeEntry {
  id: string;
  dataset: string;
  instruction: string;
  start: number | string;
  success_radius_m: number;
  split?: string;
  start_heading_deg?: number;
  goal?: number | string;
  language?: string;
  tasks: TaskEntry[];
  step_tasks: StepTaskEntry[];
}
/**
 * A sub-task of a long-horizon episode.
 */
export interface TaskEntry {
  description: string;
  goals: (number | string)[];
  region?: string;
  target?: string;
  /**
   * The actions to do there, in words.
   */
  actions: string[];
}
/**
 * A stretch of the walk that is also a short task of its own.
 */
export interface StepTaskEntry {
  first: number;
  last: number;
  instruction: string;
  target?: string;
  /**
   * First step, last step, label.
   */
  segments: [number, number, string][];
}
/**
 * The nodes near the paths.
 */
export interface DocumentNodes {
  ids: string[];
  /**
   * Flat positions.
   */
  at: number[];
  /**
   * Nodes where more than two links meet.
   */
  crossings: number[];
}
/**
 * A link that does not run straight.
 */
export interface LinkBends {
  /**
   * Its two nodes.
   */
  ends: number[];
  /**
   * Flat positions between them, from the first to the second.
   */
  at: number[];
}
/**
 * A shape that the map draws behind the streets.
 */
export interface Area {
  kind: string;
  /**
   * Flat positions, outer ring first.
   */
  rings: number[][];
  line?: boolean;
  width_m?: number;
}
/**
 * The whole graph that the document is cut from.
 */
export interface DocumentGraph {
  nodes: number;
  /**
   * Shown on every map of the graph, as its licence asks: ``© OpenStreetMap contributors``.
   */
  attribution?: string;
}
/**
 * What was planned before the first step.
 */
export interface Planning {
  sub_goals: [number, "TODO" | "IN_PROGRESS" | "COMPLETED" | "SKIPPED", number | null][];
  landmarks: LandmarkEntry[];
  calls: CallEntry[];
  panels: PanelEntry[];
  so_far: Spent;
}
/**
 * A place that the instruction mentions.
 */
export interface LandmarkEntry {
  name: string;
  category?: string;
  relative_position?: string;
  letter?: string;
  /**
   * Where the map has it, whether the agent was shown it or not.
   */
  at?: number[];
  /**
   * Why it has no place on the map.
   */
  unplaced?: string;
}
/**
 * One model call.
 */
export interface CallEntry {
  purpose: string;
  messages: MessageEntry[];
  /**
   * Index of a text.
   */
  thoughts?: number;
  /**
   * Index of a text.
   */
  reply?: number;
  parse_error?: string;
  error?: string;
  model?: string;
  usage?: UsageEntry;
  seconds?: number;
  retries?: number;
  cost_usd?: number;
  /**
   * Whether the cost is the list price, since the log names none.
   */
  list_price?: boolean;
  finish_reason?: string;
}
/**
 * One message of a prompt.
 */
export interface MessageEntry {
  role: string;
  parts: ["heading" | "fence" | "json" | "code" | "text" | "picture", number][];
}
/**
 * Tokens of one call, as the server counted them.
 */
export interface UsageEntry {
  prompt_tokens?: number;
  thoughts_tokens?: number;
  output_tokens?: number;
  cached_tokens?: number;
}
/**
 * An inspector panel; `assets/player/src/panels` has one renderer a kind.
 */
export interface PanelEntry {
  kind: string;
  title: string;
  data: {
    [k: string]: unknown;
  };
}
/**
 * What the calls so far have cost.
 */
export interface Spent {
  calls: number;
  tokens?: number;
  seconds?: number;
  cost_usd?: number;
  /**
   * Whether part of the cost is the list price.
   */
  list_price?: boolean;
  /**
   * Whether the tokens of some calls are missing.
   */
  partial?: boolean;
}
/**
 * One decision and the move that followed.
 */
export interface StepEntry {
  index: number;
  calls: CallEntry[];
  path: (number | string)[];
  panels: PanelEntry[];
  so_far: Spent;
  node?: number | string;
  heading_deg?: number;
  plan?: [number, "TODO" | "IN_PROGRESS" | "COMPLETED" | "SKIPPED", number | null][];
  /**
   * Index into the plan.
   */
  sub_goal?: number;
  observation?: ObservationEntry;
  decision?: DecisionEntry;
  /**
   * Positions in the path from which the agent went on to a node that is not linked.
   */
  jumps?: number[];
  retries?: number;
  /**
   * Distance to the goal after the step: straight outdoors, walked indoors.
   */
  to_goal_m?: number;
  /**
   * The skill whose agent acted: index into the document's skills.
   */
  skill?: number;
  /**
   * Whether the move is the way back to the best stop.
   */
  walk_back?: boolean;
  /**
   * Distance to the target of the sub-task after the step, where the episode has sub-tasks.
   */
  to_target_m?: number;
  /**
   * What it saw, where there are pictures.
   */
  views?: ViewEntry[];
  /**
   * What a person changed in it.
   */
  edits?: EditEntry[];
}
/**
 * What the agent was shown.
 */
export interface ObservationEntry {
  format: string;
  visible: (number | string)[];
  pois: SeenEntry[];
  candidates: CandidateEntry[];
  text?: ["heading" | "fence" | "json" | "code" | "text" | "picture", number][];
}
/**
 * A landmark that the agent was shown.
 */
export interface SeenEntry {
  name: string;
  letter?: string;
  /**
   * The visible node that it is attached to.
   */
  node?: number | string;
  direction?: string;
  position?: string;
  distance_m?: number;
  /**
   * Index into the document's POIs.
   */
  poi?: number;
  at?: number[];
  /**
   * Whether it is drawn at its node, since its own place is missing.
   */
  approximate?: boolean;
}
/**
 * A place that the agent could choose.
 */
export interface CandidateEntry {
  node: number | string;
  state: "offered" | "chosen" | "rejected";
  label?: string;
  direction?: string;
  heading_deg?: number;
  /**
   * Signed angle to the agent's heading, positive to the right.
   */
  angle_deg?: number;
  distance_m?: number;
  score?: number;
  path?: (number | string)[];
  reason?: string;
}
/**
 * What the agent decided.
 */
export interface DecisionEntry {
  stop: boolean;
  legal: boolean;
  target?: number | string;
  /**
   * The target as the agent named it.
   */
  target_id?: string;
  /**
   * Name of the motion, where the agent walks freely.
   */
  action?: string;
  sub_goal_status?: "IN_PROGRESS" | "COMPLETED";
  reason?: string;
}
/**
 * What a step could see.
 */
export interface ViewEntry {
  kind: "picture" | "cube" | "panorama" | "discrete" | "frame";
  /**
   * Indices into the document's pictures: one; a cube's six faces or the strip of them; 36
   * views, ``null`` for those that are missing.
   */
  pictures: (number | null)[];
  heading_deg?: number;
  elevation_deg?: number;
  field_deg?: number;
  label?: string;
  /**
   * Of a cube: rotation of its pose, 9 numbers row by row.
   */
  rotation?: number[];
}
/**
 * A person's change of one input of a step.
 */
export interface EditEntry {
  what: string;
  /**
   * The first part that is another one; `new` is what stands there since.
   */
  old: string;
  new: string;
}
/**
 * Text of a call that has not ended.
 */
export interface Streaming {
  thoughts?: string;
  reply?: string;
}
/**
 * One figure in the head of the player.
 */
export interface HeadFigure {
  /**
   * Key of `ReplayDocument.metrics`.
   */
  name: string;
  label: string;
  help: string;
  /**
   * Whether it is a length.
   */
  metres: boolean;
}
/**
 * What a walk did for one sub-task; steps are counted from 1 in the document's list.
 */
export interface StageEntry {
  /**
   * ``missed``: stopped too far; ``cut``: ended in the middle; ``now``: under way.
   */
  state: "none" | "now" | "reached" | "missed" | "cut";
  status: string;
  /**
   * Whether its last step is a stop.
   */
  stops: boolean;
  first?: number;
  last?: number;
  /**
   * First step after which the agent was near enough.
   */
  oracle?: number;
  moves?: number;
  reference_moves?: number;
  nearest_m?: number;
  error_m?: number;
}
/**
 * A POI or object of the world.
 */
export interface PoiEntry {
  id: string;
  name: string;
  at: number[];
  kind?: string;
  /**
   * Whether it is a traffic light.
   */
  light?: boolean;
  letter?: string;
}
/**
 * Missing where the walk has none.
 */
export interface DocumentPictures {
  all: PictureEntry[];
  /**
   * Address under which the app serves them: ``AT/KEY?size=PIXELS``.
   */
  at?: string;
  prompts: PromptPicture[];
  /**
   * Panoramas, cubes and 36 views of places on and beside the walk and its reference.
   */
  places: PlaceViewEntry[];
}
/**
 * A picture; its bytes are asked for under the document's `at` by its key.
 */
export interface PictureEntry {
  /**
   * The path that the log or the folder has for it.
   */
  name: string;
  /**
   * Why there is nothing to show, in one sentence.
   */
  fault?: string;
  /**
   * Its name where the app serves it: the same in each document of a visitor, so that the browser
   * fetches it once.
   */
  key?: string;
  /**
   * The picture itself as a data URL, where the document stands in a file.
   */
  data?: string;
}
/**
 * A picture where it stood in a prompt.
 */
export interface PromptPicture {
  picture: number;
  detail?: string;
  mime?: string;
  width?: number;
  height?: number;
  size_bytes?: number;
  /**
   * Estimated by the provider's published rule.
   */
  tokens?: number;
  label?: string;
}
/**
 * What lies there for a place, whoever stood at it.
 */
export interface PlaceViewEntry {
  node: number;
  view: ViewEntry;
}
/**
 * A long table of texts: base64 of the gzipped JSON list.
 */
export interface PackedStrings {
  gzip: string;
  /**
   * Lists that follow it, packed alike: what a walk that goes on has said since.
   */
  more?: string[];
}
/**
 * A skill of SkillNav, with the one colour that it has everywhere.
 */
export interface SkillEntry {
  name: string;
  /**
   * One word, for the legend.
   */
  short: string;
  colour: string;
}
/**
 * What the floor plan and the 3-D scene need of a house.
 */
export interface House {
  floors: Floor[];
  /**
   * The floor of each node.
   */
  floor_of: number[];
  /**
   * Nodes on stairs.
   */
  stairs: number[];
  rooms: Room[];
  doors: Door[];
  outlines: Outline[];
  /**
   * At most one a floor.
   */
  pictures: FloorImage[];
}
/**
 * A floor of a house.
 */
export interface Floor {
  name: string;
  level_m: number;
}
/**
 * A room of a house, as its folder tells it.
 */
export interface Room {
  name: string;
  floor: number;
  /**
   * West, south, east and north edge.
   *
   * @minItems 4
   * @maxItems 4
   */
  box_m: [number, number, number, number];
  /**
   * Its corners, where it is no rectangle.
   */
  outline_m?: [number, number][];
}
/**
 * A door between two rooms.
 */
export interface Door {
  /**
   * @minItems 2
   * @maxItems 2
   */
  at_m: [number, number];
  floor: number;
}
/**
 * A region without walls: the hull of its objects.
 */
export interface Outline {
  name: string;
  floor: number;
  outline_m: [number, number][];
}
/**
 * A picture of a floor from above, drawn under everything else.
 */
export interface FloorImage {
  floor: number;
  /**
   * West, south, east and north edge.
   *
   * @minItems 4
   * @maxItems 4
   */
  box_m: [number, number, number, number];
  /**
   * The picture itself: ``data:image/webp;base64,...``
   */
  url: string;
  /**
   * Who made it: ``picture``, ``habitat`` or ``mesh``.
   */
  source: string;
}
/**
 * How the run of the episode ended.
 */
export interface EndEntry {
  status: string;
  reason?: string;
  node?: number | string;
  plan?: [number, "TODO" | "IN_PROGRESS" | "COMPLETED" | "SKIPPED", number | null][];
}
/**
 * The act that a failed walk did not do; else where and how it left the reference path.
 */
export interface DivergenceEntry {
  step?: number;
  kind?: string;
  sentence?: string;
  /**
   * Words of the instruction for the act that was not done.
   */
  words?: string;
  /**
   * ``fact`` or ``hint``, of an act; missing where this is none.
   */
  grade?: string;
  node?: number | string;
  returned_step?: number;
}
/**
 * Missing where nobody looked for causes.
 */
export interface CausesEntry {
  /**
   * Index into `all`; missing where no cause was found.
   */
  likely?: number;
  /**
   * Index into `all`: the likely cause, else the first hint; missing where there is neither.
   */
  leading?: number;
  all: CauseEntry[];
  /**
   * What the first repair changes, in words; missing where nothing can be repaired.
   */
  repair?: string;
  /**
   * Which kinds of cause the log is too poor for, in one sentence; missing where none is.
   */
  unchecked?: string;
}
/**
 * Why a step went wrong.
 */
export interface CauseEntry {
  id: string;
  name: string;
  sentence: string;
  step: number;
  sub_goal?: number;
  /**
   * ``cause`` or ``hint``.
   */
  grade: string;
  quotes: QuoteEntry[];
  /**
   * What its repair changes, in words; missing where the navigator takes none.
   */
  repair?: string;
}
/**
 * A place that proves a cause, with the words that stand there.
 */
export interface QuoteEntry {
  /**
   * Instruction, prompt, thoughts, reply, plan, map, decision or setting.
   */
  source: string;
  text: string;
  /**
   * Counted from 1, as the player counts; missing where it is about plan or episode.
   */
  step?: number;
  sub_goal?: number;
  /**
   * Position of a place on the map, as `PoiEntry.at`.
   */
  at?: number[];
}
/**
 * Missing where nobody has walked on after other links.
 */
export interface WhatIfEntry {
  /**
   * Who walks on.
   */
  who: string;
  /**
   * Whether that is the follower of a recorded walk; then a cell is read on from its step.
   */
  follows: boolean;
  sentence?: string;
  /**
   * Navigation error of the walk itself.
   */
  ne_m?: number;
  success: boolean;
  /**
   * Steps at which the reference's link succeeds, counted from 1.
   */
  decisive: number[];
  /**
   * Positions in units of the last decimal place, flat, each as the difference to the one
   * before.
   */
  at: number[];
  /**
   * Step from 1, place of the fork, places from there to the end (flat runs: first, count),
   * navigation error there, and 1 where it is the reference's link plus 2 where the fork is
   * unstable.
   */
  cells: [number, number, number[], number | null, number][];
  /**
   * Cells for which there was no room.
   */
  left_out: number;
}
/**
 * An older run of the same episode.
 */
export interface Compared {
  navigator: string;
  settings: {
    [k: string]: unknown;
  };
  /**
   * Whether its model was shown ``pictures``, or is the ``text variant`` of an agent that is.
   */
  eyes?: string;
  run?: string;
  model?: string;
  created?: string;
  source?: string;
  forked_from?: ForkEntry;
  label: string;
  instruction: string;
  sub_goals: [number, "TODO" | "IN_PROGRESS" | "COMPLETED" | "SKIPPED", number | null][];
  steps: ComparedStep[];
  metrics: {
    [k: string]: number | null;
  };
  end?: number | string;
  /**
   * The step, counted from 1, at which the two runs first differ.
   */
  first_difference?: number;
  /**
   * For each step of the walk the one of this run, from 1, that is as far along its way.
   */
  partners?: number[];
  /**
   * The step, from 1, whose move parts from this run's.
   */
  parting?: number;
  /**
   * Where the two go from there, the walk first, and how in turn words.
   */
  apart?: [number | string, string][];
}
/**
 * A step of the run compared with.
 */
export interface ComparedStep {
  path: (number | string)[];
  node?: number | string;
  target?: number | string;
  heading_deg?: number;
  views?: ViewEntry[];
  texts?: StepTexts;
}
/**
 * What a step of the run compared with thought, answered and did; texts by index.
 */
export interface StepTexts {
  /**
   * Text of the sub-goal that was due.
   */
  sub_goal?: number;
  thoughts?: number;
  reply?: number;
  reason?: string;
}
/**
 * The way of one more run, for the map alone; its colour is ``#rrggbb``.
 */
export interface FurtherWalk {
  label: string;
  colour: string;
  steps: ComparedStep[];
  end?: number | string;
}
