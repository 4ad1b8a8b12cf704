/* The API page: search, the reader's own ids in the examples, and sending calls. The page is readable without this script. */
const sampleId = '00000000-0000-4000-8000-000000000000'

/** Where the first object of each kind is fetched; kinds are named as in paths and fields. */
const lists = {
  zone: '/api/zones/live?limit=1',
  account: '/api/accounts',
  group: '/api/groups',
  registrar: '/api/registrars',
  tracker: '/api/trackers',
  profile: '/api/profiles',
  operation: '/api/operations?limit=1',
  incident: '/api/incidents?limit=1',
}

function storedToken() {
  try {
    return JSON.parse(localStorage.getItem('zonedeck.auth') ?? '{}').token ?? null
  } catch {
    return null
  }
}

function ask(method, url, body) {
  const token = storedToken()
  const xsrf = /(?:^|; )XSRF-TOKEN=([^;]*)/.exec(document.cookie)?.[1]
  return fetch(url, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(xsrf && { 'x-xsrf-token': decodeURIComponent(xsrf) }),
      ...(body !== null && { 'content-type': 'application/json' }),
    },
    ...(body !== null && { body }),
  })
}

const ids = new Map()
/** The id of the reader's first object of that kind; null if there is none or the reader is not signed in. */
function firstId(kind) {
  if (!ids.has(kind)) {
    ids.set(
      kind,
      ask('GET', lists[kind], null)
        .then((answer) => (answer.ok ? answer.json() : {}))
        .then((answer) => Object.values(answer).find((value) => Array.isArray(value) && value[0]?.id)?.[0].id ?? null)
        .catch(() => null),
    )
  }
  return ids.get(kind)
}

/** The kind in `/api/zones/…` and in `zoneId`: `zone`. */
const kindOf = (word) => Object.keys(lists).find((kind) => word === kind || word === `${kind}s`) ?? null

/** The text with the reader's ids in place of the sample id. */
async function withOwnIds(text) {
  const own = kindOf(/\/api\/([a-z]+)/.exec(text)?.[1] ?? '') ?? 'zone'
  const parts = text.split(sampleId)
  let whole = parts[0]
  for (const part of parts.slice(1)) {
    const field = /(\w{1,20})Id"?: ?["']$/.exec(whole.slice(-40))?.[1]
    whole += ((await firstId(kindOf(field ?? '') ?? own)) ?? sampleId) + part
  }
  return whole
}

const element = (name, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}

/** The request of a curl example: the path below the panel, and the body. */
function partsOf(curl) {
  const quoted = (text) => /'((?:[^']|'\\'')*)'/.exec(text)?.[1].replaceAll(`'\\''`, `'`) ?? ''
  const address = new URL(quoted(curl))
  const at = curl.indexOf('\n  -d ')
  return { url: decodeURI(address.pathname) + address.search, body: at === -1 ? null : quoted(curl.slice(at)) }
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

const longestShown = 100_000

/** The form that sends the call, below its examples. */
function tryForm(method, curl) {
  const { url, body } = partsOf(curl)
  const address = element('input', { value: url, spellcheck: false, ariaLabel: 'Address' })
  const text = body === null ? null : element('textarea', { value: pretty(body), rows: 6, spellcheck: false, ariaLabel: 'Body' })
  const send = element('button', { type: 'submit', textContent: `Send ${method}` })
  const status = element('output')
  const shown = element('pre', { hidden: true, tabIndex: 0 })
  const form = element('form', {}, element('h3', { textContent: 'Try it' }), address, ...(text === null ? [] : [text]), send, status, shown)
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    if (storedToken() === null && !confirm('You are not signed in here. Send the call without a token?')) return
    if (method !== 'GET' && !confirm(`${method} ${address.value}\n\nThis call may change your panel and your domains. Send it?`)) return
    if (!address.value.startsWith('/api/')) {
      status.textContent = 'Enter an address that starts with /api/.'
      return
    }
    send.disabled = true
    status.textContent = 'Sending…'
    const began = performance.now()
    try {
      const answer = await ask(method, address.value, text?.value ?? null)
      const given = pretty(await answer.text())
      status.textContent = `${answer.status} ${answer.statusText} in ${Math.round(performance.now() - began)} ms`
      shown.textContent = given.length > longestShown ? `${given.slice(0, longestShown)}\n…` : given
      shown.hidden = given === ''
    } catch {
      status.textContent = 'The panel is not responding.'
    }
    send.disabled = false
  })
  return form
}

/** The details of a call, rendered when it is opened. */
async function open(details) {
  if (details.dataset.opened !== undefined) return
  details.dataset.opened = ''
  for (const sample of details.querySelectorAll('pre[data-lang]')) {
    // The curl example names the kinds in its path; the TypeScript example has the same ids.
    const path = details.querySelector('summary code').textContent
    sample.textContent = (await withOwnIds(`${path}\n${sample.textContent}`)).slice(path.length + 1)
    // The origin of this page: behind a proxy the panel's own URL may differ.
    sample.textContent = sample.textContent.replace(/'https?:\/\/[^/']+(?=\/api\/)/, `'${location.origin}`)
    const copy = element('button', { type: 'button', textContent: 'Copy', className: 'copy' })
    copy.addEventListener('click', () =>
      navigator.clipboard.writeText(sample.textContent).then(
        () => (copy.textContent = 'Copied'),
        () => (copy.textContent = 'Copy failed'),
      ),
    )
    sample.before(copy)
  }
  const curl = details.querySelector('pre[data-lang="curl"]')
  if (curl !== null) curl.closest('div').append(tryForm(details.dataset.method, curl.textContent))
}

function search(wanted) {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean)
  let count = 0
  for (const section of document.querySelectorAll('section')) {
    let some = false
    for (const details of section.querySelectorAll('details')) {
      const text = `${section.querySelector('h2').textContent} ${details.querySelector('summary').textContent}`.toLowerCase()
      details.hidden = !words.every((word) => text.includes(word))
      if (!details.hidden) count += 1
      some ||= !details.hidden
    }
    section.hidden = words.length > 0 && !some
  }
  document.querySelector('nav').hidden = words.length > 0
  return count
}

const found = element('output')
const box = element('input', { type: 'search', placeholder: 'Search calls', ariaLabel: 'Search calls' })
box.addEventListener('input', () => {
  const count = search(box.value)
  found.textContent = box.value.trim() === '' ? '' : count === 0 ? 'No calls found.' : `${count} ${count === 1 ? 'call' : 'calls'}`
})
box.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || box.value === '') return
  box.value = ''
  box.dispatchEvent(new Event('input'))
})
document.querySelector('nav').before(element('p', { className: 'search' }, box, found))
for (const details of document.querySelectorAll('details')) {
  details.addEventListener('toggle', () => {
    if (details.open) void open(details)
  })
  // Opened by its URL before this script was loaded.
  if (details.open) void open(details)
}
