// Sends the request of a form as it stands, and tells the answer.

const page = document.querySelector('main')

function element(name, text, style) {
  const made = document.createElement(name)
  made.textContent = text
  if (style) made.className = style
  return made
}

function whole(answer) {
  const made = document.createElement('details')
  made.append(element('summary', page.dataset.whole), element('pre', JSON.stringify(answer, null, 2)))
  return made
}

function rolled(answer) {
  const dice = answer.draws.map(({ tag, sides, faces }) => `${tag} d${sides}: ${faces.join(' ')}`)
  const steps = element('ol', '')
  steps.append(
    ...answer.steps.map(({ rule, text }) => {
      const step = element('li', text + ' ')
      step.append(element('code', rule))
      return step
    }),
  )
  const parts = [element('p', answer.summary, 'verdict')]
  if (dice.length) parts.push(element('p', dice.join(' · '), 'dice'))
  return [...parts, steps, whole(answer)]
}

function refused(problem) {
  const parts = [element('p', problem.detail, 'bad')]
  if (problem.fix) parts.push(element('p', problem.fix))
  return [...parts, whole(problem)]
}

async function send(form) {
  const result = form.querySelector('section')
  delete result.dataset.status
  result.replaceChildren(element('p', page.dataset.waiting))
  try {
    const response = await fetch(form.dataset.path, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'Accept-Language': document.documentElement.lang,
      },
      body: form.querySelector('textarea').value,
    })
    const answer = await response.json()
    result.replaceChildren(...(response.ok ? rolled(answer) : refused(answer)))
    result.dataset.status = response.status
  } catch {
    result.replaceChildren(element('p', page.dataset.failed, 'bad'))
    result.dataset.status = 'failed'
  }
}

for (const form of document.querySelectorAll('form')) {
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    send(form)
  })
  form.querySelector('button').disabled = false
}
