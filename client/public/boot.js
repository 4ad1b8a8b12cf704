// Runs before the first paint: the theme and the language of the page, so that neither flashes, and what the page is made of,
// so that it is asked for at once.
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

  // The build fills it in (preloads.ts).
  var pages = []
  var signedIn = (stored('zonedeck.auth') || '').indexOf('"isAuthenticated":true') > 0
  var path = signedIn ? location.pathname : '/login'
  var page = pages.filter(function (each) {
    return path.indexOf(each.begins) === 0 && path.endsWith(each.ends)
  })[0]
  var files = page ? page.files.concat(page.texts[root.lang]) : []
  for (var j = 0; j < files.length; j++) {
    var link = document.createElement('link')
    var style = /css$/.test(files[j])
    link.rel = style ? 'preload' : 'modulepreload'
    if (style) link.as = 'style'
    link.href = '/' + files[j]
    link.crossOrigin = ''
    document.head.appendChild(link)
  }
})()
