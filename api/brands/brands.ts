import { buffer } from 'node:stream/consumers'
import { z } from 'zod'
import {
  type Brand,
  type BrandContents,
  changeBrand,
  createBrand,
  deleteBrand,
  getBrand,
  listBrands,
  maxBrands,
} from '../../src/brands/brands.ts'
import { logoCorners } from '../../src/core/brand.ts'
import { invalidRequest } from '../../src/core/errors.ts'
import { FontError, maxFontBytes, readFont } from '../../src/core/font-file.ts'
import { idPattern } from '../../src/core/ids.ts'
import { strictFields } from '../../src/core/input-problems.ts'
import { maxPictureBytes, pictureFormatOf, pictureHeadBytes } from '../../src/core/media.ts'
import { describeExcess } from '../../src/core/text.ts'
import { colour } from '../../src/endpoints/fields.ts'
import { checkPicture, missingUpload, receivedUpload } from '../../src/jobs/resolve-media.ts'
import { type ObjectInfo, ObjectNotFoundError } from '../../src/storage/storage.ts'
import type { ApiContext } from '../http/context.ts'
import { deletion } from '../http/deletion.ts'
import { accountRoute, bodyErrors, errorEnvelope, keyErrors, keyRoute, name, response } from '../http/route.ts'

/** What is drawn has the rest of the picture. */
const maxMargin = 0.4
const margin = z.number().min(0).max(maxMargin)
const margins = strictFields({
  top: margin.default(0.05),
  bottom: margin.default(0.05),
  left: margin.default(0.05),
  right: margin.default(0.05),
}).describe('What captions and logo keep out of, as parts of the height and of the width of the picture.')

const logoWidth = z.number().min(0.02).max(0.5).describe("The logo's, as a part of the width of the picture.")
const [defaultCorner, defaultWidth] = ['top_right', 0.12] as const

const mebibytes = (bytes: number) => `${bytes / 1024 ** 2} MiB`
const file = z.string().max(100)
const fontFile = file.describe(
  `The id of an upload: a font in TTF or OTF, of at most ${mebibytes(maxFontBytes)}, for captions in the picture.`,
)
const logoFile = file.describe(
  `The id of an upload: a PNG, JPEG or WebP, of at most ${mebibytes(maxPictureBytes)}. Transparent parts stay transparent.`,
)

const colours = {
  colour: colour.optional(),
  highlight_colour: colour.optional(),
  box_colour: colour.optional().describe('Of the box of the style boxed.'),
}

const brandRequest = strictFields({
  name,
  font_upload_id: fontFile.optional(),
  logo_upload_id: logoFile.optional(),
  logo_position: z.enum(logoCorners).default(defaultCorner),
  logo_width: logoWidth.default(defaultWidth),
  ...colours,
  margins: margins.optional(),
}).meta({
  id: 'BrandRequest',
  examples: [{ name: 'Talks', colour: '#ffffff', highlight_colour: '#00c2a8', margins: { bottom: 0.1 } }],
})

const brandChange = strictFields({
  name: name.optional(),
  font_upload_id: fontFile.nullable().optional(),
  logo_upload_id: logoFile.nullable().optional(),
  logo_position: z.enum(logoCorners).optional(),
  logo_width: logoWidth.optional(),
  colour: colour.nullable().optional(),
  highlight_colour: colour.nullable().optional(),
  box_colour: colour.nullable().optional(),
  margins: margins.nullable().optional(),
}).meta({ id: 'BrandChange', examples: [{ highlight_colour: '#ffd400', margins: null }] })

const brandSchema = z
  .object({
    id: z.string().regex(idPattern('brd')),
    name: z.string(),
    font_upload_id: z.string().optional(),
    logo_upload_id: z.string().optional(),
    logo_position: z.enum(logoCorners),
    logo_width: z.number(),
    ...colours,
    margins: z.object({ top: z.number(), bottom: z.number(), left: z.number(), right: z.number() }).optional(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Brand' })

const envelope = response('BrandEnvelope', { brand: brandSchema })
const list = response('BrandList', { brands: z.array(brandSchema).describe('Newest first.') })
const params = z.object({ brand_id: z.string().meta({ pattern: idPattern('brd').source }) })
const ofBrands = { tags: ['brands'] }

/** `POST /v1/brands` */
export const createBrandRoute = accountRoute({
  method: 'POST',
  url: '/v1/brands',
  schema: {
    ...ofBrands,
    operationId: 'createBrand',
    summary: 'Create a brand',
    description: `Clips name it by their setting brand. Its uploads do not expire while it has them. An account has at most ${maxBrands}.`,
    body: brandRequest,
    response: { ...bodyErrors, 201: envelope, 404: errorEnvelope, 409: errorEnvelope },
  },
  handler: async (request, { context, account: { accountId }, reply }) => {
    const { body } = request
    const contents = {
      ...{ name: body.name, fontUploadId: body.font_upload_id ?? null, logoUploadId: body.logo_upload_id ?? null },
      look: {
        colour: body.colour ?? null,
        highlightColour: body.highlight_colour ?? null,
        boxColour: body.box_colour ?? null,
        margins: body.margins ?? null,
        logoCorner: body.logo_position,
        logoWidth: body.logo_width,
      },
    }
    const brand = await withFiles(context, accountId, body, () => createBrand(context.db, accountId, contents))
    return reply.code(201).send({ request_id: request.id, brand: presentBrand(brand) })
  },
})

/** `GET /v1/brands` */
export const listBrandsRoute = keyRoute({
  method: 'GET',
  url: '/v1/brands',
  schema: {
    ...ofBrands,
    operationId: 'listBrands',
    summary: 'List brands',
    response: { ...keyErrors, 200: list },
  },
  handler: async (request, { context: { db }, credential: { accountId } }) => ({
    request_id: request.id,
    brands: (await listBrands(db, accountId)).map(presentBrand),
  }),
})

/** `GET /v1/brands/{brand_id}` */
export const getBrandRoute = keyRoute({
  method: 'GET',
  url: '/v1/brands/:brand_id',
  schema: {
    ...ofBrands,
    operationId: 'getBrand',
    summary: 'Get a brand',
    params,
    response: { ...keyErrors, 200: envelope, 404: errorEnvelope },
  },
  handler: async (request, { context: { db }, credential: { accountId } }) => ({
    request_id: request.id,
    brand: presentBrand(await getBrand(db, accountId, request.params.brand_id)),
  }),
})

/** `PATCH /v1/brands/{brand_id}` */
export const changeBrandRoute = accountRoute({
  method: 'PATCH',
  url: '/v1/brands/:brand_id',
  schema: {
    ...ofBrands,
    operationId: 'changeBrand',
    summary: 'Change a brand',
    description: 'null takes something out. Clips that are made from then on have what changed.',
    params,
    body: brandChange,
    response: { ...bodyErrors, 200: envelope, 404: errorEnvelope, 409: errorEnvelope },
  },
  handler: async (request, { context, account: { accountId } }) => {
    const { body } = request
    const { brand_id: id } = request.params
    await getBrand(context.db, accountId, id)
    const keptDays = context.config.RETENTION_DAYS
    const brand = await withFiles(context, accountId, body, () =>
      changeBrand(context.db, { accountId, id, keptDays }, (before) => changed(before, body)),
    )
    return { request_id: request.id, brand: presentBrand(brand) }
  },
})

/** `DELETE /v1/brands/{brand_id}` */
export const deleteBrandRoute = accountRoute({
  method: 'DELETE',
  url: '/v1/brands/:brand_id',
  schema: {
    ...ofBrands,
    operationId: 'deleteBrand',
    summary: 'Delete a brand',
    description: 'Its uploads stay, and expire as others do. Jobs that have not begun to cut fail with not_found.',
    params,
    response: { ...keyErrors, 200: deletion, 404: errorEnvelope },
  },
  handler: async (request, { context: { db, config, createsByAccount }, account: { accountId } }) => {
    const { brand_id: id } = request.params
    const keptDays = config.RETENTION_DAYS
    await createsByAccount(accountId, () => deleteBrand(db, { accountId, id, keptDays }))
    return { request_id: request.id, id, status: 'deleted' as const }
  },
})

interface NamedFiles {
  readonly font_upload_id?: string | null | undefined
  readonly logo_upload_id?: string | null | undefined
}

/** Does the work once the files are checked. One request of the account after the other: each has a whole font in memory. */
function withFiles(
  context: ApiContext,
  accountId: string,
  files: NamedFiles,
  work: () => Promise<Brand>,
): Promise<Brand> {
  return context.createsByAccount(accountId, async () => {
    await checkFiles(context, accountId, files)
    return work()
  })
}

/** Throws what says why an upload cannot be the font or the logo of a brand. */
async function checkFiles(
  context: ApiContext,
  accountId: string,
  { font_upload_id: font, logo_upload_id: logo }: NamedFiles,
): Promise<void> {
  if (typeof font === 'string') {
    const field = 'font_upload_id'
    const { object } = await receivedUpload(context, { accountId, uploadId: font, field })
    if (object.bytes > maxFontBytes)
      throw invalidRequest(`${field}: ${describeExcess('The font', object.bytes, maxFontBytes)} Send a smaller one.`)
    const bytes = await bytesOf(context, object, { field })
    try {
      readFont(bytes)
    } catch (error) {
      if (error instanceof FontError) throw invalidRequest(`${field}: ${error.message}.`)
      throw error
    }
  }
  if (typeof logo === 'string') {
    const field = 'logo_upload_id'
    const object = await checkPicture(context, accountId, logo, field)
    const head = await bytesOf(context, object, { field, end: pictureHeadBytes - 1 })
    if (!pictureFormatOf(head)) throw invalidRequest(`${field}: the file is neither PNG, JPEG nor WebP.`)
  }
}

interface BytesToRead {
  /** Of the request, which names the upload. */
  readonly field: string
  /** The last byte, inclusive. All are read when it is left out. */
  readonly end?: number
}

/** Throws `not_found` if the upload was deleted meanwhile. */
async function bytesOf(
  { storage }: Pick<ApiContext, 'storage'>,
  { key, generation }: ObjectInfo,
  { field, ...range }: BytesToRead,
): Promise<Buffer> {
  try {
    return await buffer(await storage.read(key, { generation, ...range }))
  } catch (error) {
    throw error instanceof ObjectNotFoundError ? missingUpload(field, error) : error
  }
}

/** What a change leaves out stays. */
function changed({ look, ...before }: Brand, change: z.output<typeof brandChange>): BrandContents {
  const or = <Value>(given: Value | undefined, other: Value) => (given === undefined ? other : given)
  return {
    name: or(change.name, before.name),
    fontUploadId: or(change.font_upload_id, before.fontUploadId),
    logoUploadId: or(change.logo_upload_id, before.logoUploadId),
    look: {
      colour: or(change.colour, look.colour),
      highlightColour: or(change.highlight_colour, look.highlightColour),
      boxColour: or(change.box_colour, look.boxColour),
      margins: or(change.margins, look.margins),
      logoCorner: or(change.logo_position, look.logoCorner),
      logoWidth: or(change.logo_width, look.logoWidth),
    },
  }
}

function presentBrand({ id, name: given, fontUploadId, logoUploadId, look, createdAt }: Brand) {
  return {
    ...{ id, name: given },
    ...(fontUploadId === null ? {} : { font_upload_id: fontUploadId }),
    ...(logoUploadId === null ? {} : { logo_upload_id: logoUploadId }),
    ...{ logo_position: look.logoCorner, logo_width: look.logoWidth },
    ...(look.colour === null ? {} : { colour: look.colour }),
    ...(look.highlightColour === null ? {} : { highlight_colour: look.highlightColour }),
    ...(look.boxColour === null ? {} : { box_colour: look.boxColour }),
    ...(look.margins === null ? {} : { margins: look.margins }),
    created_at: createdAt.toISOString(),
  }
}
