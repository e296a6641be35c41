/** Nodes of a fake ComfyUI that make images, with sharp instead of models. */
import sharp, { type Sharp } from 'sharp';
import { float, int, type NodeClass, type Picture } from './comfyui-node.ts';

interface Latent {
  width: number;
  height: number;
  picture?: Picture;
  seed?: number;
}

const side = int(16, 16384);
const methods = ['nearest-exact', 'bilinear', 'area', 'bicubic', 'lanczos'];

const of = async (image: Sharp): Promise<Picture> => {
  const { data, info } = await image.png().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, png: data };
};

const resized = ({ png }: Picture, width: number, height: number) =>
  of(sharp(png).resize(Math.max(1, Math.round(width)), Math.max(1, Math.round(height)), { fit: 'fill' }));

const load: NodeClass['run'] = async ({ image }, { inputs }) => {
  const picture = await of(sharp(inputs.get(image as string)).removeAlpha());
  return [picture, picture];
};

const save =
  (type: 'output' | 'temp'): NodeClass['run'] =>
  ({ images, filename_prefix: prefix = 'ComfyUI' }, disk) => [
    disk.save((images as Picture).png, prefix as string, type),
  ];

export const pictures: Readonly<Record<string, NodeClass>> = {
  EmptyLatentImage: {
    required: { width: side, height: side, batch_size: int(1, 4096) },
    returns: ['LATENT'],
    run: ({ width, height }) => [{ width, height }],
  },
  EmptySD3LatentImage: {
    required: { width: side, height: side, batch_size: int(1, 4096) },
    returns: ['LATENT'],
    run: ({ width, height }) => [{ width, height }],
  },
  KSampler: {
    required: {
      model: 'MODEL',
      seed: int(0, 2 ** 64),
      steps: int(1, 10000),
      cfg: float(0, 100),
      sampler_name: ['euler', 'dpmpp_2m', 'dpmpp_2m_sde'],
      scheduler: ['normal', 'karras', 'simple', 'sgm_uniform'],
      positive: 'CONDITIONING',
      negative: 'CONDITIONING',
      latent_image: 'LATENT',
      denoise: float(0, 1),
    },
    returns: ['LATENT'],
    run: ({ latent_image: latent, seed }) => [{ ...(latent as Latent), seed }],
  },
  VAEDecode: {
    required: { samples: 'LATENT', vae: 'VAE' },
    returns: ['IMAGE'],
    async run({ samples }) {
      const { width, height, picture, seed = 0 } = samples as Latent;
      if (picture) return [await resized(picture, width, height)];
      const background = { r: seed % 256, g: (seed >> 8) % 256, b: (seed >> 16) % 256 };
      return [await of(sharp({ create: { width, height, channels: 3, background } }))];
    },
  },
  VAEEncode: {
    required: { pixels: 'IMAGE', vae: 'VAE' },
    returns: ['LATENT'],
    run: ({ pixels }) => [latentOf(pixels as Picture)],
  },
  VAEEncodeForInpaint: {
    required: { pixels: 'IMAGE', vae: 'VAE', mask: 'MASK', grow_mask_by: int(0, 64) },
    returns: ['LATENT'],
    run: ({ pixels }) => [latentOf(pixels as Picture)],
  },
  LoadImage: { required: { image: 'STRING' }, returns: ['IMAGE', 'MASK'], file: 'image', run: load },
  LoadImageMask: {
    required: { image: 'STRING', channel: ['alpha', 'red', 'green', 'blue'] },
    returns: ['MASK'],
    file: 'image',
    run: load,
  },
  ImageScaleToTotalPixels: {
    required: { image: 'IMAGE', upscale_method: methods, megapixels: float(0.01, 16), resolution_steps: int(1, 256) },
    returns: ['IMAGE'],
    async run({ image, resolution_steps: steps }) {
      const picture = image as Picture;
      // Far fewer pixels than requested, to save time.
      const scale = Math.sqrt(2 ** 14 / (picture.width * picture.height));
      const fit = (length: number) => Math.max(1, Math.round((length * scale) / Number(steps))) * Number(steps);
      return [await resized(picture, fit(picture.width), fit(picture.height))];
    },
  },
  ImageScaleBy: {
    required: { image: 'IMAGE', upscale_method: methods, scale_by: float(0.01, 8) },
    returns: ['IMAGE'],
    async run({ image, scale_by: by }) {
      const picture = image as Picture;
      return [await resized(picture, picture.width * Number(by), picture.height * Number(by))];
    },
  },
  ImageUpscaleWithModel: {
    required: { upscale_model: 'UPSCALE_MODEL', image: 'IMAGE' },
    returns: ['IMAGE'],
    async run({ image }) {
      const picture = image as Picture;
      return [await resized(picture, picture.width * 4, picture.height * 4)];
    },
  },
  ImageBlend: {
    required: { image1: 'IMAGE', image2: 'IMAGE', blend_factor: float(0, 1), blend_mode: ['normal', 'multiply'] },
    returns: ['IMAGE'],
    run: ({ image1 }) => [image1],
  },
  ImageCompositeMasked: {
    required: { destination: 'IMAGE', source: 'IMAGE', x: int(0, 16384), y: int(0, 16384), resize_source: 'BOOLEAN' },
    optional: { mask: 'MASK' },
    returns: ['IMAGE'],
    async run({ destination, source, mask }) {
      const { width, height, png } = destination as Picture;
      const over = await resized(source as Picture, width, height);
      if (!mask) return [over];
      const alpha = await resized(mask as Picture, width, height);
      const cut = sharp(over.png).joinChannel(await sharp(alpha.png).extractChannel(0).png().toBuffer());
      return [
        await of(
          sharp(png)
            .composite([{ input: await cut.png().toBuffer() }])
            .removeAlpha(),
        ),
      ];
    },
  },
  RemoveBackground: {
    required: { bg_removal_model: 'BACKGROUND_REMOVAL', image: 'IMAGE' },
    optional: { resolution: int(256, 4096) },
    returns: ['MASK'],
    run: async ({ image }) => [await of(sharp((image as Picture).png).grayscale())],
  },
  InvertMask: {
    required: { mask: 'MASK' },
    returns: ['MASK'],
    run: async ({ mask }) => [await of(sharp((mask as Picture).png).negate())],
  },
  JoinImageWithAlpha: {
    required: { image: 'IMAGE', alpha: 'MASK' },
    returns: ['IMAGE'],
    async run({ image, alpha }) {
      // The mask is black where the subject is.
      const opacity = await sharp((alpha as Picture).png)
        .negate()
        .extractChannel(0)
        .png()
        .toBuffer();
      return [await of(sharp((image as Picture).png).joinChannel(opacity))];
    },
  },
  ReActorFaceSwap: {
    required: {
      enabled: 'BOOLEAN',
      input_image: 'IMAGE',
      swap_model: ['inswapper_128.onnx'],
      facedetection: ['retinaface_resnet50', 'YOLOv5l'],
      face_restore_model: ['none', 'codeformer-v0.1.0.pth', 'GFPGANv1.4.pth'],
      face_restore_visibility: float(0.1, 1),
      codeformer_weight: float(0, 1),
      detect_gender_input: ['no', 'female', 'male'],
      detect_gender_source: ['no', 'female', 'male'],
      input_faces_index: 'STRING',
      source_faces_index: 'STRING',
      console_log_level: [0, 1, 2],
    },
    optional: { source_image: 'IMAGE' },
    returns: ['IMAGE', 'FACE_MODEL'],
    run: ({ input_image: image }) => [image, null],
  },
  SaveImage: {
    required: { images: 'IMAGE', filename_prefix: 'STRING' },
    returns: [],
    isOutput: true,
    run: save('output'),
  },
  PreviewImage: { required: { images: 'IMAGE' }, returns: [], isOutput: true, run: save('temp') },
};

const latentOf = (picture: Picture): Latent => ({
  width: picture.width - (picture.width % 8),
  height: picture.height - (picture.height % 8),
  picture,
});
