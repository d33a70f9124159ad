/** Whether this process wants requests: not before all of the product is there, and not once it's told to stop. */
export class Readiness {
  #state: 'starting' | 'serving' | 'stopping'

  constructor(state: 'starting' | 'serving' = 'serving') {
    this.#state = state
  }

  get state() {
    return this.#state
  }

  serve() {
    if (this.#state === 'starting') this.#state = 'serving'
  }

  stop() {
    this.#state = 'stopping'
  }
}
