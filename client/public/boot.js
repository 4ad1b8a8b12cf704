// Runs before the first paint: sets the theme and the language, so that neither flashes, and starts loading the page's scripts and its first
// request in parallel.
;(function () {
  function stored(key) {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  }
  var root = document.documentElement
  var light = stored('zonedeck.theme') === 'light'
  root.classList.toggle('dark', !light)
  root.setAttribute('data-mantine-color-scheme', light ? 'light' : 'dark')
  var preset = /(?:^|; )DEFAULT-LANGUAGE=(ru|en)/.exec(document.cookie)
  var wanted = [stored('zonedeck.language'), preset && preset[1]].concat(navigator.languages || [])
  for (var i = 0; i < wanted.length; i++) {
    var language = String(wanted[i]).slice(0, 2)
    if (language === 'ru' || language === 'en') {
      root.lang = language
      break
    }
  }

  // A document from the service worker is of no use if its files are gone, or if a proxy before the panel asks for a sign-in: the page is loaded
  // from the server instead, at most once a minute.
  window.zonedeckFromServer = function () {
    var workers = navigator.serviceWorker
    var before = Number(sessionStorage.getItem('zonedeck.from-server'))
    if (!workers || !workers.controller || Date.now() - before < 60000) return
    sessionStorage.setItem('zonedeck.from-server', String(Date.now()))
    Promise.all([
      workers.getRegistration().then(function (registration) {
        return registration && registration.unregister()
      }),
      caches.keys().then(function (names) {
        return Promise.all(
          names.map(function (name) {
            return caches.delete(name)
          }),
        )
      }),
    ]).then(function () {
      location.reload()
    })
  }
  addEventListener(
    'error',
    function (event) {
      if (event.target instanceof HTMLScriptElement) window.zonedeckFromServer()
    },
    true,
  )

  // Filled in by the build (preloads.ts), which also puts this script into the document: its scripts, of which the first
  // is the main one, its style sheets, and the pages.
  var scripts = []
  var styles = []
  var pages = []

  // Added by script, style sheets do not delay the first paint; main.tsx waits for them.
  window.zonedeckStyles = Promise.all(
    styles.map(function (href) {
      return new Promise(function (resolve) {
        var sheet = document.createElement('link')
        sheet.rel = 'stylesheet'
        sheet.href = '/' + href
        sheet.crossOrigin = ''
        // Without its styles the page is still usable.
        sheet.onload = sheet.onerror = resolve
        document.head.appendChild(sheet)
      })
    }),
  )

  var signedIn = (stored('zonedeck.auth') || '').indexOf('"isAuthenticated":true') > 0
  var open = /^\/(status|reset-password|second-factor)(\/|$)/.test(location.pathname)
  var path = signedIn || open ? location.pathname : '/login'
  var page = pages.filter(function (each) {
    return path.indexOf(each.begins) === 0 && path.endsWith(each.ends)
  })[0]
  // A link to another view of the page asks for other data.
  if (page && signedIn && page.asks.length > 0 && location.search === '' && (!page.unless || (stored(page.unless) || '{}') === '{}')) {
    var xsrf = /(?:^|; )XSRF-TOKEN=([^;]*)/.exec(document.cookie)
    var session = JSON.parse(stored('zonedeck.auth'))
    var headers = { 'content-type': 'application/json', authorization: 'Bearer ' + session.token }
    if (xsrf) headers['x-xsrf-token'] = decodeURIComponent(xsrf[1])
    var id = location.pathname.split('/')[2]
    var asks = JSON.parse(JSON.stringify(page.asks), function (key, value) {
      return value === ':id' ? id : value
    })
    var inputs = {}
    asks.forEach(function (ask, index) {
      inputs[index] = ask[1]
    })
    var paths = asks.map(function (ask) {
      return ask[0]
    })
    var options = { method: 'POST', headers: headers, body: JSON.stringify(inputs), redirect: 'manual' }
    var answers = fetch('/trpc/' + paths.join() + '?batch=1', options).then(function (response) {
      // The panel does not redirect; a proxy that does shows its sign-in to a page from the server.
      if (response.type === 'opaqueredirect') window.zonedeckFromServer()
      return response.json()
    })
    window.zonedeckFirst = {}
    window.zonedeckFirstBy = session.user && session.user.id
    asks.forEach(function (ask, index) {
      var answer = answers.then(function (all) {
        return all[index]
      })
      // The page sends a query that failed again, and reports its failure.
      answer.catch(function () {})
      window.zonedeckFirst[JSON.stringify([ask[0], ask[1]])] = answer
    })
  }
  var files = scripts.concat(page ? page.files.concat(page.texts[root.lang]) : [])
  for (var j = 0; j < files.length; j++) {
    var link = document.createElement('link')
    var style = /css$/.test(files[j])
    link.rel = style ? 'preload' : 'modulepreload'
    if (style) link.as = 'style'
    link.href = '/' + files[j]
    link.crossOrigin = ''
    document.head.appendChild(link)
  }
  // As a part of the document, the main script would delay the first paint. In development the document has its own.
  if (scripts.length > 0) {
    addEventListener('DOMContentLoaded', function () {
      var main = document.createElement('script')
      main.type = 'module'
      main.src = '/' + scripts[0]
      main.crossOrigin = ''
      document.head.appendChild(main)
    })
  }
})()
