// Served instead of sw.js with SERVICE_WORKER=off: removes what an earlier service worker kept. It answers no requests itself.
self.addEventListener('install', function () {
  self.skipWaiting()
})
self.addEventListener('activate', function (event) {
  async function removeCaches() {
    var names = await caches.keys()
    await Promise.all(
      names.map(function (name) {
        return caches.delete(name)
      }),
    )
  }
  event.waitUntil(removeCaches())
})
