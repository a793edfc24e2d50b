// Preloaded into a process of the service: tells, when asked, the addresses of the files that it has loaded.
process.on('message', (message) => {
  if (message !== 'modules') return
  const { Session } = require('node:inspector')
  const session = new Session()
  const modules = []
  session.connect()
  // A debugger that attaches is told of every script, of either kind of module.
  session.on('Debugger.scriptParsed', ({ params }) => modules.push(params.url))
  session.post('Debugger.enable', () => {
    session.disconnect()
    process.send({ modules })
  })
})
process.channel?.unref()
