// `npm install` ends with this (package.json, preinstall). It's plain CommonJS without newer syntax, because it has to run on the Node
// versions that it rejects. npm names the Node that runs it; `node` itself may already be the Node 24 that was just installed.
var least = { node: [20, 9], npm: [10, 0] }
var agent = process.env.npm_config_user_agent || ''

Object.keys(least).forEach((name) => {
  var found = new RegExp(`(?:^| )${name}/v?(\\d+)\\.(\\d+)\\S*`).exec(agent)
  if (!found) return
  var wanted = least[name]
  var major = Number(found[1])
  var minor = Number(found[2])
  if (major > wanted[0] || (major === wanted[0] && minor >= wanted[1])) return
  console.error(
    `\nOvation needs ${name === 'npm' ? 'npm' : 'Node'} ${wanted.join('.')} or newer to install, and this is ${found[0].trim()}: install a newer one from https://nodejs.org or your distribution, remove node_modules, and run npm ci again.\n`,
  )
  process.exit(1)
})
