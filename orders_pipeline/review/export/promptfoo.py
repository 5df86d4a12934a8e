"""promptfoo: a configuration, its tests, a provider and an assertion.

promptfoo runs templates that it finds in values ({{7*7}} becomes 49), so nothing of a mail stands in its files: a test
holds the id of its case, and provider and assertion read the mail and what is expected from the folder by that id.
"""

from __future__ import annotations

from collections.abc import Sequence

from orders_pipeline.review.export.case import ExportCase, json_lines

NAME = "promptfoo"

_CONFIG = """\
# npx promptfoo@latest eval -c formats/promptfoo/promptfooconfig.yaml
# The provider runs PARSER (default: orders-pipeline parse --json) with the path of the mail as its last argument.
description: order mails
prompts:
  - '{{case_id}}'
providers:
  - file://provider.cjs
defaultTest:
  assert:
    - type: javascript
      value: file://assert.cjs
tests: file://tests.jsonl
"""
_PATHS = """\
const fs = require('node:fs');
const path = require('node:path');
const root = path.join(__dirname, '..', '..');

function checked(id) {
  if (!/^[0-9a-f]{16}$/.test(id)) throw new Error('no case id');
  return id;
}
"""
_PROVIDER = (
    """\
const { execFileSync } = require('node:child_process');
"""
    + _PATHS
    + """
module.exports = class {
  id() {
    return 'parser';
  }

  async callApi(prompt, context) {
    const mail = path.join(root, 'mails', `${checked(context.vars.case_id)}.eml`);
    const command = (process.env.PARSER || 'orders-pipeline parse --json').split(' ').filter(Boolean);
    try {
      return { output: execFileSync(command[0], [...command.slice(1), mail], { encoding: 'utf8' }) };
    } catch (error) {
      return { error: `the parser failed: ${error.message}` };
    }
  }
};
"""
)
_ASSERT = (
    _PATHS
    + """
// What a mail does not tell has no key; evidence is not compared, nor is the order of keys.
function plain(value) {
  if (Array.isArray(value)) return value.map((one) => plain(one));
  if (value === null || typeof value !== 'object') return value;
  const kept = Object.entries(value)
    .filter(([k, v]) => k !== 'evidence' && v !== null && v !== '' && !(Array.isArray(v) && v.length === 0))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(kept.map(([k, v]) => [k, plain(v)]));
}

module.exports = (output, context) => {
  const file = path.join(root, 'expected', `${checked(context.vars.case_id)}.json`);
  const right = JSON.parse(fs.readFileSync(file, 'utf8')).orders.map((order) => plain(order));
  let said;
  try {
    said = ((typeof output === 'string' ? JSON.parse(output) : output).orders || []).map((order) => plain(order));
  } catch (error) {
    return { pass: false, score: 0, reason: 'the answer is no JSON' };
  }
  const pass = JSON.stringify(right) === JSON.stringify(said);
  return { pass, score: pass ? 1 : 0, reason: pass ? 'as expected' : 'other orders than expected' };
};
"""
)


def files(cases: Sequence[ExportCase]) -> dict[str, bytes]:
    """``promptfoo eval -c formats/promptfoo/promptfooconfig.yaml`` runs it."""
    rows = (
        {
            "description": f"case {c.case_id}",
            "vars": {"case_id": c.case_id},
            "metadata": {"state": str(c.provenance.get("state", "")), "reasons": c.codes},
        }
        for c in cases
    )
    return {
        "promptfooconfig.yaml": _CONFIG.encode("ascii"),
        "provider.cjs": _PROVIDER.encode("ascii"),
        "assert.cjs": _ASSERT.encode("ascii"),
        "tests.jsonl": json_lines(rows),
    }
