import { z } from 'zod'
import { errorRows } from '#server/transports/rest/error-table.ts'
import { createTypeWriter } from '#server/transports/rest/write-type.ts'
import type { JsonSchema } from '#server/transports/rest/write-type.ts'

const schema = z.custom<JsonSchema>((value) => typeof value === 'object' && value !== null)
const content = z.record(z.string(), z.object({ schema: schema.optional() })).optional()
const response = z.object({ $ref: z.string().optional(), description: z.string().optional(), content })
const operation = z.object({
  summary: z.string().optional(),
  description: z.string().optional(),
  tags: z.array(z.string()).default(['Other']),
  security: z.array(z.unknown()).optional(),
  parameters: z
    .array(z.object({ name: z.string(), in: z.string(), required: z.boolean().optional(), description: z.string().optional(), schema }))
    .default([]),
  requestBody: z.object({ content }).optional(),
  responses: z.record(z.string(), response),
  'x-codeSamples': z.array(z.object({ lang: z.string(), source: z.string() })).default([]),
})
type Operation = z.infer<typeof operation>

/** The part of the OpenAPI document that the page shows. */
const documented = z.object({
  info: z.object({ title: z.string(), version: z.string() }),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.looseObject({
    schemas: z.record(z.string(), schema).default({}),
    responses: z.record(z.string(), response).default({}),
  }),
})

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
const anchor = (text: string) => text.toLowerCase().replaceAll(/[^a-z\d]+/g, '-')

/** Writes a type over several lines, one member per line. Strings and comments stay as they are. */
function spread(type: string): string {
  let depth = 0
  return type
    .replaceAll('?: undefined | ', '?: ')
    .replaceAll(/"(?:[^"\\]|\\.)*"?|\/\*(?:[^*]|\*(?!\/))*(?:\*\/ )?|\{ | \}|; |readonly (?=[(\w["])/g, (token) => {
      const line = () => `\n${'  '.repeat(depth)}`
      if (token === '{ ') {
        depth += 1
        return `{${line()}`
      }
      if (token === ' }') {
        depth -= 1
        return `${line()}}`
      }
      if (token === '; ') return line()
      return token === 'readonly ' ? '' : token
    })
}

/** Text with `code` spans as HTML. */
const worded = (text = ''): string => escape(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')

const style = `:root{color-scheme:light dark;background:Canvas;color:CanvasText;--line:#8884;--soft:#8881}
body{font:15px/1.5 system-ui,sans-serif;max-width:64rem;margin:0 auto;padding:1.5rem}
nav ul{columns:3 9rem;list-style:none;padding:0}
details{border:1px solid var(--line);border-radius:6px;margin:.4rem 0}
summary{padding:.4rem .7rem;cursor:pointer;overflow-wrap:anywhere}
details>div{padding:0 .9rem .7rem;border-top:1px solid var(--line)}
code,pre{font:13px/1.45 ui-monospace,monospace}
pre{background:var(--soft);padding:.7rem;border-radius:6px;overflow:auto;max-height:32rem}
summary code{margin-inline-end:.6em}
b{display:inline-block;min-width:3.8rem;font:600 12px ui-monospace,monospace}
td,th{text-align:left;vertical-align:top;padding:.15rem 1rem .15rem 0}
td{overflow-wrap:break-word}td:last-child{overflow-wrap:anywhere}
@media(max-width:40rem){body{padding:1rem}td{overflow-wrap:anywhere}th{display:none}table,tbody,tr,td:last-child{display:block}tr{margin-block:.5rem}}
details>div{scroll-margin-top:3rem}
h3{font-size:1rem;margin:1rem 0 .4rem}
form>*{margin-block:.3rem}
input,textarea{box-sizing:border-box;width:100%;font:13px/1.45 ui-monospace,monospace;padding:.4rem;color:inherit;background:Field;border:1px solid GrayText;border-radius:6px}
input[type=search]{max-width:24rem;font:inherit;margin-inline-end:.8rem}
button{font:inherit;padding:.25rem .8rem;margin-inline-end:.8rem;cursor:pointer}
button.copy{float:right;font-size:12px;margin:.4rem}`

/**
 * The OpenAPI document as a page for people. It works without its script (client/public/api-docs.js adds search, the reader's IDs and sending calls)
 * and loads nothing from other hosts.
 * @param document the document of `/api/openapi.json`
 */
export function docsPage(document: unknown): string {
  const { info, tags: described, paths, components } = documented.parse(document)
  const writer = createTypeWriter()
  const named = Object.fromEntries(Object.entries(components.schemas).map(([name, each]) => [`#/components/schemas/${name}`, each]))
  /** A schema as a type; references are resolved to the schemas of the document. */
  const typeOf = (given: JsonSchema, io: 'input' | 'output') =>
    escape(spread(writer.write({ ...(given.$ref === undefined ? given : named[given.$ref]), $defs: named }, io)))

  function bodyOf(title: string, { content: given }: Pick<z.infer<typeof response>, 'content'>, io: 'input' | 'output'): string {
    return Object.entries(given ?? {})
      .map(
        ([type, { schema: of }]) => `<p>${title} <code>${escape(type)}</code></p>${of === undefined ? '' : `<pre>${typeOf(of, io)}</pre>`}`,
      )
      .join('')
  }

  function operationOf(path: string, method: string, given: Operation): string {
    const { summary = '', description, parameters, requestBody, responses, security, 'x-codeSamples': samples } = given
    const rows = parameters.map(
      (each) =>
        `<tr><td><code>${escape(each.name)}</code>${each.required === true ? ' *' : ''}</td><td>${escape(each.in)}</td><td><code>${typeOf(each.schema, 'input')}</code></td><td>${worded(each.description)}</td></tr>`,
    )
    const answers = Object.entries(responses).map(([status, given]) => {
      const whole = given.$ref === undefined ? given : components.responses[given.$ref.split('/').at(-1) ?? '']
      if (whole === undefined) return ''
      return Number(status) < 400
        ? bodyOf(`<strong>${status}</strong> ${worded(whole.description)}`, whole, 'output') ||
            `<p><strong>${status}</strong> ${worded(whole.description)}</p>`
        : `<p><strong>${status}</strong> <code>${escape(whole.description ?? '')}</code></p>`
    })
    const examples = samples.map(
      ({ lang, source }) => `<p>Example with ${escape(lang)}</p><pre data-lang="${escape(lang)}">${escape(source)}</pre>`,
    )
    // The anchor is inside, so that a link to it opens the details.
    return `<details data-method="${method.toUpperCase()}"><summary><b>${method.toUpperCase()}</b> <code>/api${escape(path)}</code> ${worded(summary)}</summary><div id="${anchor(`${method} ${path}`)}">
${description === undefined ? '' : `<p>${worded(description)}</p>`}${security?.length === 0 ? '<p>No authentication required.</p>' : ''}${rows.length === 0 ? '' : `<table><tr><th>Parameter</th><th>In</th><th>Type</th><th>Description</th></tr>${rows.join('')}</table>`}
${requestBody === undefined ? '' : bodyOf('Body', requestBody, 'input')}${answers.join('')}${examples.join('')}</div></details>`
  }

  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, each]) => ({ tag: each.tags[0] ?? 'Other', html: operationOf(path, method, each) })),
  )
  const tags = [...Map.groupBy(operations, ({ tag }) => tag)].toSorted(([one], [other]) => one.localeCompare(other))
  const aboutTag = new Map(described.map((tag) => [tag.name, tag.description]))
  const errors = errorRows()
    .map(
      ({ code, status, retry, text }) =>
        `<tr><td><code>${code}</code></td><td>${status}</td><td>${retry}</td><td>${worded(text)}</td></tr>`,
    )
    .join('')
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(info.title)} API</title><style>${style}</style><script type="module" src="/api-docs.js"></script></head><body>
<main><h1>${escape(info.title)} API ${escape(info.version)}</h1>
<p>Send an API token as <code>Authorization: Bearer zd_…</code>. Download the <a href="/api/openapi.json">OpenAPI 3.1 document</a>. Errors have the format <code>{code, message, params?, issues?, provider?, requestId}</code>; <a href="#errors">Errors</a> lists the codes.</p>
<nav aria-label="Groups"><ul>${tags.map(([tag, { length }]) => `<li><a href="#${anchor(tag)}">${escape(tag)}</a> ${length}</li>`).join('')}</ul></nav>
${tags.map(([tag, each]) => `<section><h2 id="${anchor(tag)}">${escape(tag)}</h2>${aboutTag.has(tag) ? `<p>${escape(aboutTag.get(tag) ?? '')}</p>` : ''}${each.map(({ html }) => html).join('\n')}</section>`).join('\n')}
<section><h2 id="errors">Errors</h2><p>“yes”: the same call may succeed later. “check first”: the change may already have been applied, so read the resource before you repeat the call, or use an <code>Idempotency-Key</code>.</p>
<table><tr><th>Code</th><th>Status</th><th>Retry</th><th>Meaning and what to do</th></tr>${errors}</table></section>
</main></body></html>
`
}
