/**
 * Text with every known injection; `FIELD` stands for its location. Code that runs adds its field to `__xss`; requests go to the beacon.
 */
export function hostileText(beacon: string): string {
  const run = `globalThis.__xss=(globalThis.__xss??'')+'FIELD '`
  return [
    `(FIELD)<img src=x onerror="${run}"><img src="${beacon}/FIELD/img.png">`,
    `"><svg/onload=${run}>`,
    `'><details open ontoggle=${run}>`,
    `</textarea></title></pre><script>${run}</script><script src="${beacon}/FIELD/script.js"></script>`,
    `<iframe srcdoc="<script>parent.__xss='FIELD'</script>"></iframe>`,
    `<a href="javascript:${run}">x</a> [x](javascript:${run}) javascript:${run}`,
    `![x](${beacon}/FIELD/markdown.png) <style>@import "${beacon}/FIELD/style.css"</style><link rel="stylesheet" href="${beacon}/FIELD/link.css">`,
    `{{constructor.constructor("${run}")()}} \${${run}} <%= ${run} %> #{${run}}`,
    `\u001b[31mred\u001b[0m\u001b]0;title\u0007\u001b]8;;${beacon}/FIELD/osc\u0007x\u001b]8;;\u0007`,
    `\u202egnp.exe\u202c\u2066\u200b\u{e0041}`,
  ].join(' ')
}

/** A shorter version with at most a hundred characters. */
export function hostileName(field: string): string {
  return `(${field})"><img src=x onerror=__xss='${field}'>{{__xss}}`
}

/** Runs in the browser. Returns forbidden content of the page, and the fields whose text is visible. */
export const inspectPage = `(() => {
  for (let round = 0; round < 4; round++) for (const closed of document.querySelectorAll('details:not([open])')) closed.open = true
  const problems = []
  const hidden = /[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u{e0000}-\\u{e007f}]/u
  const texts = [document.title, document.documentElement.textContent]
  for (const element of document.querySelectorAll('*')) {
    const tag = element.localName
    if (['iframe', 'object', 'embed', 'base', 'frame', 'style', 'marquee', 'template'].includes(tag)) problems.push('<' + tag + '>')
    if (tag === 'script' && !(String(element.src).startsWith(location.origin + '/assets/') && element.textContent === '')) problems.push('<script>')
    const isSafe = /^https:/.test(element.href) && element.target === '_blank' && /noopener/.test(element.rel)
    if (tag === 'a' && !isSafe && !/^[/#]/.test(element.getAttribute('href'))) problems.push('a link to ' + element.getAttribute('href'))
    if (tag === 'img' && !/^data:image\\/(?:png|jpeg|gif|webp);base64,[\\w+/=]+$/.test(element.getAttribute('src'))) problems.push('an image of ' + element.getAttribute('src'))
    if (tag === 'audio' && !element.getAttribute('src').startsWith('data:audio/')) problems.push('sound of ' + element.getAttribute('src'))
    for (const { name, value } of element.attributes) {
      if (name.startsWith('on') || name === 'srcdoc' || name === 'style') problems.push(tag + ' with ' + name)
      if (/^\\s*javascript:/i.test(value) && !['value', 'title', 'aria-label', 'placeholder'].includes(name)) problems.push(tag + ' with ' + name + '=' + value)
      texts.push(value)
    }
    if ('value' in element && typeof element.value === 'string') texts.push(element.value)
  }
  for (const text of texts) if (hidden.test(text)) problems.push('hidden characters in ' + JSON.stringify(text.slice(0, 200)))
  const fields = [...new Set(texts.flatMap((text) => [...text.matchAll(/\\(([\\w-]+)\\)(?=<img|&lt;img|">)/g)].map(([, field]) => field)))]
  return { problems, fields }
})()`
