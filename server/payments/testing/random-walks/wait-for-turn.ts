// Loaded before the program (`node --import`) by the server that comes next: it reads all its code while the one before it still walks,
// and goes on when it is its turn. See mortal-server.ts.
await import('../../../gateway.ts')
const turn = await fetch(process.env.TURN_URL ?? '')
if (!turn.ok) process.exit()
