/* SPDX-License-Identifier: Apache-2.0
 *
 * Unsupported calls: sub-devices, sharing with OpenGL, pipes, queues on the device, SPIR-V.
 * Programs linked against other OpenCL libraries refer to these symbols, so they exist; each
 * returns its error, and prints a sentence once per call.
 */
#include "capture/opencl/byw_cl.h"

#pragma GCC visibility push(default)
#include <CL/cl_gl.h>
#pragma GCC visibility pop

#pragma GCC diagnostic ignored "-Wunused-parameter"

static cl_int refuse(const char *call, cl_int error)
{
    byw_cl_say("%s is not supported", call);
    return error;
}

static void *refuse_object(const char *call, cl_int *error, cl_int code)
{
    return byw_cl_error(error, refuse(call, code));
}

cl_int clCreateSubDevices(cl_device_id in_device, const cl_device_partition_property *properties,
                          cl_uint num_devices, cl_device_id *out_devices, cl_uint *num_devices_ret)
{
    return refuse("clCreateSubDevices", CL_INVALID_VALUE);
}

cl_int clSetDefaultDeviceCommandQueue(cl_context context, cl_device_id device,
                                      cl_command_queue command_queue)
{
    return refuse("clSetDefaultDeviceCommandQueue", CL_INVALID_OPERATION);
}

cl_int clSetContextDestructorCallback(cl_context context,
                                      void (*pfn_notify)(cl_context context, void *user_data),
                                      void *user_data)
{
    return refuse("clSetContextDestructorCallback", CL_INVALID_OPERATION);
}

cl_mem clCreatePipe(cl_context context, cl_mem_flags flags, cl_uint pipe_packet_size,
                    cl_uint pipe_max_packets, const cl_pipe_properties *properties,
                    cl_int *errcode_ret)
{
    return refuse_object("clCreatePipe", errcode_ret, CL_INVALID_OPERATION);
}

cl_int clGetPipeInfo(cl_mem pipe, cl_pipe_info param_name, size_t param_value_size,
                     void *param_value, size_t *param_value_size_ret)
{
    return refuse("clGetPipeInfo", CL_INVALID_MEM_OBJECT);
}

cl_program clCreateProgramWithBuiltInKernels(cl_context context, cl_uint num_devices,
                                             const cl_device_id *device_list,
                                             const char *kernel_names, cl_int *errcode_ret)
{
    return refuse_object("clCreateProgramWithBuiltInKernels", errcode_ret, CL_INVALID_VALUE);
}

cl_program clCreateProgramWithIL(cl_context context, const void *il, size_t length,
                                 cl_int *errcode_ret)
{
    return refuse_object("clCreateProgramWithIL (SPIR-V; byway compiles OpenCL C)", errcode_ret,
                         CL_INVALID_OPERATION);
}

cl_int clSetProgramReleaseCallback(cl_program program,
                                   void (*pfn_notify)(cl_program program, void *user_data),
                                   void *user_data)
{
    return refuse("clSetProgramReleaseCallback", CL_INVALID_OPERATION);
}

cl_int clSetProgramSpecializationConstant(cl_program program, cl_uint spec_id, size_t spec_size,
                                          const void *spec_value)
{
    return refuse("clSetProgramSpecializationConstant", CL_INVALID_OPERATION);
}

cl_mem clCreateFromGLBuffer(cl_context context, cl_mem_flags flags, cl_GLuint bufobj,
                            cl_int *errcode_ret)
{
    return refuse_object("clCreateFromGLBuffer", errcode_ret, CL_INVALID_OPERATION);
}

cl_mem clCreateFromGLTexture(cl_context context, cl_mem_flags flags, cl_GLenum target,
                             cl_GLint miplevel, cl_GLuint texture, cl_int *errcode_ret)
{
    return refuse_object("clCreateFromGLTexture", errcode_ret, CL_INVALID_OPERATION);
}

cl_mem clCreateFromGLTexture2D(cl_context context, cl_mem_flags flags, cl_GLenum target,
                               cl_GLint miplevel, cl_GLuint texture, cl_int *errcode_ret)
{
    return refuse_object("clCreateFromGLTexture2D", errcode_ret, CL_INVALID_OPERATION);
}

cl_mem clCreateFromGLTexture3D(cl_context context, cl_mem_flags flags, cl_GLenum target,
                               cl_GLint miplevel, cl_GLuint texture, cl_int *errcode_ret)
{
    return refuse_object("clCreateFromGLTexture3D", errcode_ret, CL_INVALID_OPERATION);
}

cl_mem clCreateFromGLRenderbuffer(cl_context context, cl_mem_flags flags, cl_GLuint renderbuffer,
                                  cl_int *errcode_ret)
{
    return refuse_object("clCreateFromGLRenderbuffer", errcode_ret, CL_INVALID_OPERATION);
}

cl_int clGetGLObjectInfo(cl_mem memobj, cl_gl_object_type *type, cl_GLuint *name)
{
    return refuse("clGetGLObjectInfo", CL_INVALID_GL_OBJECT);
}

cl_int clGetGLTextureInfo(cl_mem memobj, cl_gl_texture_info param_name, size_t param_value_size,
                          void *param_value, size_t *param_value_size_ret)
{
    return refuse("clGetGLTextureInfo", CL_INVALID_GL_OBJECT);
}

cl_int clEnqueueAcquireGLObjects(cl_command_queue command_queue, cl_uint num_objects,
                                 const cl_mem *mem_objects, cl_uint num_events_in_wait_list,
                                 const cl_event *event_wait_list, cl_event *event)
{
    return refuse("clEnqueueAcquireGLObjects", CL_INVALID_GL_OBJECT);
}

cl_int clEnqueueReleaseGLObjects(cl_command_queue command_queue, cl_uint num_objects,
                                 const cl_mem *mem_objects, cl_uint num_events_in_wait_list,
                                 const cl_event *event_wait_list, cl_event *event)
{
    return refuse("clEnqueueReleaseGLObjects", CL_INVALID_GL_OBJECT);
}
