// Loaded before the program (`node --import`) by the next server: it loads all its code while the previous one still runs,
// and continues when it is its turn. See crashable-server.ts.
await import('../../../gateway.ts')
const turn = await fetch(process.env.TURN_URL ?? '')
if (!turn.ok) process.exit()
