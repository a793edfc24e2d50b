import { isId } from '../../src/core/ids.ts'
import { deleteUpload } from '../../src/deletion/delete-upload.ts'
import { eraseUpload } from '../../src/deletion/erase.ts'
import { answerDeletion, deletion } from '../http/deletion.ts'
import { keyRoute } from '../http/route.ts'
import { errorEnvelope, keyErrors } from '../http/schemas.ts'
import { noSuchUpload } from './read.ts'
import { uploadParams } from './schema.ts'

/** `DELETE /v1/uploads/{upload_id}` */
export const deleteUploadRoute = keyRoute({
  method: 'DELETE',
  url: '/v1/uploads/:upload_id',
  schema: {
    operationId: 'deleteUpload',
    tags: ['uploads'],
    summary: 'Delete an uploaded file',
    description:
      'From the response on, its media_url means nothing and its upload_url accepts no bytes. Results of jobs that read it stay. Refused with 409 while an open job or run reads it.',
    security: [{ ApiKey: [] }],
    params: uploadParams,
    response: { ...keyErrors, 200: deletion, 202: deletion, 404: errorEnvelope, 409: errorEnvelope },
  },
  handler: async (request, { context, credential, reply }) => {
    const { upload_id: id } = request.params
    if (!isId('upl', id) || !(await deleteUpload(context.db, credential.accountId, id))) {
      throw noSuchUpload()
    }
    const erase = () => eraseUpload(context, id)
    const { code, body } = await answerDeletion(context, { requestId: request.id, id }, erase)
    return reply.code(code).send(body)
  },
})
