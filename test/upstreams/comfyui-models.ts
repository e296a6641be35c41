/** Nodes of a fake ComfyUI that load models and make conditions. They do no work: the fake checks only their inputs. */
import { float, int, type NodeClass, opaque } from './comfyui-node.ts';

export const models: Readonly<Record<string, NodeClass>> = {
  CheckpointLoaderSimple: opaque({ ckpt_name: ['sd_xl_base_1.0.safetensors', 'flux1-schnell-fp8.safetensors'] }, [
    'MODEL',
    'CLIP',
    'VAE',
  ]),
  UNETLoader: opaque(
    { unet_name: ['flux1-dev-kontext_fp8_scaled.safetensors'], weight_dtype: ['default', 'fp8_e4m3fn'] },
    ['MODEL'],
  ),
  DualCLIPLoader: opaque(
    {
      clip_name1: ['clip_l.safetensors'],
      clip_name2: ['t5xxl_fp8_e4m3fn_scaled.safetensors'],
      type: ['sdxl', 'sd3', 'flux'],
    },
    ['CLIP'],
    { device: ['default', 'cpu'] },
  ),
  VAELoader: opaque({ vae_name: ['ae.safetensors'] }, ['VAE']),
  UpscaleModelLoader: opaque({ model_name: ['RealESRGAN_x4plus.safetensors'] }, ['UPSCALE_MODEL']),
  LoadBackgroundRemovalModel: opaque({ bg_removal_name: ['birefnet.safetensors'] }, ['BACKGROUND_REMOVAL']),
  LoadDA3Model: opaque(
    { model_name: ['depth_anything_3_mono_large.safetensors'], weight_dtype: ['default', 'fp16', 'bf16', 'fp32'] },
    ['DA3_MODEL'],
  ),
  CLIPTextEncode: opaque({ text: 'STRING', clip: 'CLIP' }, ['CONDITIONING']),
  ConditioningZeroOut: opaque({ conditioning: 'CONDITIONING' }, ['CONDITIONING']),
  FluxGuidance: opaque({ conditioning: 'CONDITIONING', guidance: float(0, 100) }, ['CONDITIONING']),
  ReferenceLatent: opaque({ conditioning: 'CONDITIONING' }, ['CONDITIONING'], { latent: 'LATENT' }),
  DA3Inference: opaque(
    {
      da3_model: 'DA3_MODEL',
      image: 'IMAGE',
      resolution: int(140, 2520),
      resize_method: ['upper_bound_resize', 'lower_bound_resize'],
      mode: ['mono', 'multiview'],
    },
    ['DA3_GEOMETRY'],
  ),
  DA3Render: opaque(
    {
      da3_geometry: 'DA3_GEOMETRY',
      output: ['depth', 'sky_mask', 'confidence'],
      'output.normalization': ['v2_style', 'min_max', 'raw'],
      'output.apply_sky_clip': 'BOOLEAN',
    },
    ['IMAGE'],
  ),
  ReActorRestoreFace: opaque(
    {
      image: 'IMAGE',
      facedetection: ['retinaface_resnet50', 'YOLOv5l'],
      model: ['codeformer-v0.1.0.pth', 'GFPGANv1.4.pth'],
      visibility: float(0, 1),
      codeformer_weight: float(0, 1),
    },
    ['IMAGE'],
  ),
};
