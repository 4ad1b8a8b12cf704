// Runs before the first paint: the theme and the language of the page, so that neither flashes.
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
  var wanted = [stored('zonedeck.language')].concat(navigator.languages || [])
  for (var i = 0; i < wanted.length; i++) {
    var language = String(wanted[i]).slice(0, 2)
    if (language === 'ru' || language === 'en') {
      root.lang = language
      break
    }
  }
})()
