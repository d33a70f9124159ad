/** Whether this process accepts requests: not before the whole product is up, and not once a shutdown begins. */
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
