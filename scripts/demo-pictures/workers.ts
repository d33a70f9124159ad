import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'

/** Has a program's workers, one for each processor, carry out orders. @param done called with each result and the order's place. */
export async function askWorkers<Order, Done>(
  program: string,
  orders: readonly Order[],
  done: (result: Done, index: number) => void,
): Promise<void> {
  let next = 0
  const work = async () => {
    const worker = new Worker(program)
    while (next < orders.length) {
      const index = next++
      done(await ask(worker, orders[index]), index)
    }
    await worker.terminate()
  }
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), orders.length) }, work))
}

function ask<Order, Done>(worker: Worker, order: Order): Promise<Done> {
  return new Promise((resolve, reject) => {
    worker.once('message', (result: Done) => {
      worker.off('error', reject)
      resolve(result)
    })
    worker.once('error', reject)
    worker.postMessage(order)
  })
}
