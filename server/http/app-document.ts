import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { firstFiles, fontLinks, openScreenFiles, type ScreenFiles, screenLinks } from './screen-files.ts'

export type DocumentHead = {
  /** Replaces the document's title. */
  readonly html: string
  /** It couldn't be read. The reason may be one visitor's alone, so others don't get this one. */
  readonly hasFailed: boolean
}

/** The app's one document, with what differs between addresses: the head, and links to the files of the screen. */
export class AppDocument {
  readonly #index: string
  readonly #screenFiles: () => ScreenFiles

  /** @param directory of the built web app. */
  constructor(directory: string) {
    this.#index = join(directory, 'index.html')
    this.#screenFiles = openScreenFiles(directory)
  }

  /** The first start listens while the app is still being built. */
  get isBuilt(): boolean {
    return existsSync(this.#index)
  }

  /** @param head if undefined, the document keeps the title that the build gave it. */
  async compose(path: string, head: string | undefined): Promise<string> {
    const files = this.#screenFiles()
    const html = await readFile(this.#index, 'utf8')
    // Functions, because a text may contain `$&`, which a replacement string would interpret.
    return html
      .replace('<head>', () => `<head>${firstFiles(files)}`)
      .replace(/<title>[^<]*<\/title>/, (title) => head ?? title)
      .replace('</head>', () => `${screenLinks(files, path)}</head>`)
  }

  /** The same for a page that shows before any script has run, which needs its fonts at once. */
  async composeForPage(path: string, head: string | undefined): Promise<string> {
    const document = await this.compose(path, head)
    return document.replace('</head>', () => `${fontLinks(this.#screenFiles())}</head>`)
  }
}
