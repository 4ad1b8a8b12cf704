// The service worker: a return visit gets the page's document from a cache, without waiting for the server, and its files from the browser's.
// All data always comes from the server.

// Filled in by the build (preloads.ts): the SHA-256 of the document, and the first parts of the paths it is served for.
var build = ''
var pages = []
// Filled in by the server (client-files.ts): the headers of the document.
var headers = {}

/** Only the document of this worker's build: during an upgrade the server may have another, and a script could have replaced a cached one. */
async function isOfBuild(response) {
  var digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await response.arrayBuffer()))
  return response.ok && btoa(String.fromCharCode.apply(null, digest)) === build
}

self.addEventListener('install', function (event) {
  async function install() {
    var response = await fetch('/', { cache: 'reload', headers: { accept: 'text/html' } })
    // The browser tries again at the next visit.
    if (!(await isOfBuild(response.clone()))) throw new Error('The document is of another build')
    var cache = await caches.open(build)
    await cache.put('/', response)
    // Open pages of the previous build keep working: the server keeps their files.
    await self.skipWaiting()
  }
  event.waitUntil(install())
})

self.addEventListener('activate', function (event) {
  async function activate() {
    var names = await caches.keys()
    await Promise.all(
      names.map(function (name) {
        return name === build ? null : caches.delete(name)
      }),
    )
    await self.clients.claim()
  }
  event.waitUntil(activate())
})

self.addEventListener('fetch', function (event) {
  var request = event.request
  if (request.method !== 'GET' || request.mode !== 'navigate' || !pages.includes(new URL(request.url).pathname.split('/')[1])) return
  async function answer() {
    var kept = await caches.match('/', { cacheName: build })
    if (!kept || !(await isOfBuild(kept.clone()))) return fetch(request)
    // Not those in the cache, which a script could have replaced too.
    return new Response(kept.body, { headers: headers })
  }
  event.respondWith(answer())
})
