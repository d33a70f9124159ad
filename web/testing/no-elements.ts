/** Takes the place of modules that define custom elements: in jsdom, the elements stay unknown ones. */
export {}
