// Preloaded into a process of the service: tells, when asked, what it has loaded.
process.on('message', (message) => {
  if (message !== 'modules') return
  const { Module } = require('node:module')
  process.send({ modules: Object.keys(Module._cache) })
})
process.channel?.unref()
