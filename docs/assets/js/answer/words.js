/** The answer's values in words. */

import { count } from "../dom.js";

export const FORMS = {
  cli: "Command line",
  python: "Python",
  yaml: "YAML",
  kubernetes: "Kubernetes",
  env: "Environment",
  http: "HTTP",
  vllm: "vLLM",
  sglang: "SGLang",
  trainer: "Trainer",
  lightning: "Lightning",
  deepspeed: "DeepSpeed",
  megatron: "Megatron-LM",
};

export const KINDS = {
  configuration: "a setting",
  capacity: "something running out",
  environment: "the installation or the machine's set-up",
  data: "the data",
  transport: "the network between processes",
  hardware: "hardware",
  defect: "a defect in the software",
};

export const BECAUSE = {
  wrapper: "passes the error on",
  peer: "lost the process that failed",
  teardown: "came up while stopping",
  advice: "is advice, not an error",
  chained: "was raised on the way out",
  repeat: "says it again",
  echo: "comes with it",
};

const FACTS = {
  exit_code: "exit code",
  signal: "signal",
  http_status: "HTTP",
  xid: "Xid",
  k8s_reason: "Kubernetes:",
  world_size: "world size",
  gpu: "GPU",
};

const SETTINGS = 6; // shown beside the verdict; logs name dozens

/** 0.983 -> "98 %". Never "100 %": the matcher is not certain. */
export function percent(confidence) {
  return `${Math.min(99, Math.round(confidence * 100))} %`;
}

/** How sure, in words. */
export function certainty(confidence) {
  if (confidence >= 0.95) return "Almost certainly";
  if (confidence >= 0.8) return "Very likely";
  if (confidence >= 0.5) return "Likely";
  return "Possibly";
}

/** The process that wrote a line, as far as it is known. */
export function processWords(process) {
  const parts = [];
  if (process.role) parts.push(process.role);
  if (process.rank !== null && process.rank !== undefined) parts.push(`rank ${process.rank}`);
  if (process.local_rank !== null && process.local_rank !== undefined) parts.push(`local rank ${process.local_rank}`);
  if (process.host) parts.push(process.host);
  if (process.pid) parts.push(`pid ${process.pid}`);
  return parts.join(" · ");
}

/** What the paste says beside its messages: versions, settings, facts. */
export function reportWords({ versions, settings, facts }) {
  const known = Object.entries(settings);
  const more = known.length > SETTINGS ? [count(known.length - SETTINGS, "more setting")] : [];
  return [
    ...Object.entries(versions).map(([name, version]) => `${name} ${version}`),
    ...Object.entries(FACTS)
      .filter(([name]) => facts[name] !== null && facts[name] !== undefined)
      .map(([name, label]) => `${label} ${facts[name]}`),
    ...known.slice(0, SETTINGS).map(([name, value]) => `${name} = ${value}`),
    ...more,
  ];
}
