// What the page hands to the desk, and what the desk sends back (navviz/ui/annotate/desk.py, navviz/annotation/inbox.py).
import type { ReplayDocument } from "../document";

export type Task = "navigability" | "follow" | "difficulty" | "failure" | "mentions" | "skill" | "cause";

/** What is rated. */
export interface Item {
  dataset: string;
  episode: string;
  run: string;
  /** Which cause is judged; empty for all other tasks. */
  claim?: string;
}

/** A rating's value; each task has fields of its own. */
export type Value = { task: Task; comment: string } & Record<string, unknown>;

export interface Entry {
  item: Item;
  text: string;
  rated: boolean;
  skipped: boolean;
  reason: string | null;
  value: Value | null;
  revision: number;
  /** Whether it belongs to the training round, in which the known answer is told after one's own. */
  training: boolean;
  feedback: Feedback | null;
}

/** What one is told after a training item. */
export interface Feedback {
  right: boolean;
  answer: string;
  comment: string;
}

/** A label of the failure taxonomy. */
export interface Label {
  code: string;
  titles: string[];
  help: string;
}

export interface DeskData {
  /** Names this mount; what comes later says which desk it is for. */
  desk: string;
  study: string;
  annotator: string;
  queue: string;
  task: Task;
  entries: Entry[];
  guidelines: string;
  idle_s: number;
  labels: Label[];
  taxonomy: { name: string; version: number } | null;
  skills: string[];
}

export interface Mark {
  start: number;
  end: number;
  /** Indices of the document's POIs. */
  pois: number[];
}

/** A box in a picture, in percent of its width and height. */
export interface PictureBox {
  picture: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface BoxPicture {
  /** Index into the document's pictures. */
  picture: number;
  name: string;
  caption: string;
  /** Left edge and width in percent, where it is one face of a strip of six. */
  cut?: [number, number];
}

export interface Suggestion {
  code: string;
  title: string;
  step: number | null;
  caption: string;
  sentence: string;
}

export interface RoutedStep {
  index: number;
  text: string;
  named: string | null;
}

export interface Choice {
  node: string;
  text: string;
  /** Whether it stands in the list, under a digit; all can be clicked. */
  listed: boolean;
}

/** Where somebody stands who follows an instruction. */
export interface Stand {
  here: string;
  choices: Choice[];
  taken: string[];
  walked_m: number;
  in_sight: string[];
  note: string;
}

/** What belongs to one item beside its text: its map, and what its task needs. */
export interface Sheet {
  position: number;
  episode: string;
  /** None where the data lacks the episode; the note says so. */
  document: ReplayDocument | null;
  marks: Mark[];
  /** Pictures along the route that a landmark can be marked in. */
  pictures: BoxPicture[];
  places: { id: string; name: string; kind: string | null; poi: number | null }[];
  suggestions: Suggestion[];
  steps: RoutedStep[];
  history: string[];
  note: string;
  stand: Stand | null;
  /** What is said to be the cause; its quotes stand in the document. */
  claim: { sentence: string; step: number } | null;
}

export interface Action {
  id: string;
  queue: string;
  kind: "save" | "skip" | "unskip" | "undo" | "walk";
  item: Item | null;
  value: Value | null;
  seen: number;
  after: string | null;
  seconds: number;
  reason: string | null;
  /** The choices of a walk, and how it ended. */
  choices?: string[];
  gave_up?: boolean;
}

export interface Answer {
  id: string;
  state: "saved" | "conflict" | "refused" | "failed";
  item: Item | null;
  value: Value | null;
  revision: number | null;
  message: string;
  feedback?: Feedback | null;
}

/** Something with a key: shown as a button, told to the keyboard. */
export interface Command {
  keys: string[];
  label: string;
  run: () => void;
}
