import { HttpResponse, http } from 'msw'
import { network } from './network.ts'

/**
 * Signs the files of a bucket, as the server does. A file with `gone` in its name doesn't exist.
 * @returns the paths of each request.
 */
export function signFiles({ bucket = 'posts', token = (): string => 't' } = {}): readonly string[][] {
  const asked: string[][] = []
  network.use(
    http.post(`*/storage/v1/object/sign/${bucket}`, async ({ request }) => {
      const { paths } = (await request.json()) as { paths: string[] }
      asked.push(paths)
      const mark = token()
      return HttpResponse.json(
        paths.map((path) =>
          path.includes('gone')
            ? { path, error: 'Either the object does not exist or you do not have access to it', signedURL: null }
            : { path, error: null, signedURL: `/object/sign/${bucket}/${path}?token=${mark}` },
        ),
      )
    }),
  )
  return asked
}
